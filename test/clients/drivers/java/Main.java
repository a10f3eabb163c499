import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The Java client on the command line. */
final class Main {
  public static void main(String[] arguments) throws IOException {
    System.out.println(answer(List.of(arguments), System.getenv()));
  }

  static String answer(List<String> arguments, Map<String, String> env) throws IOException {
    String argument = arguments.size() > 1 ? arguments.get(1) : "";
    return LicenseClient.Json.write(run(arguments.get(0), argument, env));
  }

  private static Object run(String command, String argument, Map<String, String> env) throws IOException {
    switch (command) {
      case "vectors": return judgeVectors(LicenseClient.Json.readObject(Files.readAllBytes(Path.of(argument))));
      case "messages": return LicenseClient.MESSAGES;
      case "activate": return shown(client(env).activate(argument));
      case "check": return shown(client(env).check());
      case "check-offline": return shown(client(env).checkOffline());
      case "watch": return watch(client(env));
      case "deactivate": return shown(client(env).deactivate());
      case "request-code": return Map.of("request_code", client(env).makeRequestCode());
      case "import-lease": return shown(client(env).importLease(Files.readString(Path.of(argument))));
      default: throw new IllegalArgumentException(command);
    }
  }

  /** The first two statuses. */
  private static Object watch(LicenseClient client) throws IOException {
    BlockingQueue<LicenseClient.Status> seen = new LinkedBlockingQueue<>();
    Runnable stop = client.watch(seen::add);
    try {
      return List.of(shown(seen.take()), shown(seen.take()));
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    } finally {
      stop.run();
    }
  }

  private static LicenseClient client(Map<String, String> env) {
    Map<String, Object> jwks = LicenseClient.Json.readObject(("{\"keys\":" + env.get("LICENSE_KEYS") + "}").getBytes());
    LicenseClient.Options options =
        new LicenseClient.Options(env.get("LICENSE_BASE_URL"), env.get("LICENSE_PRODUCT_ID"), keys(jwks.get("keys")));
    AtomicLong offset = new AtomicLong(Long.parseLong(env.getOrDefault("LICENSE_CLOCK_OFFSET", "0")));
    long step = Long.parseLong(env.getOrDefault("LICENSE_CLOCK_STEP", "0"));
    options.storage = new LicenseClient.FileStorage(Path.of(env.get("LICENSE_STATE")));
    options.deviceLabel = env.get("LICENSE_DEVICE_LABEL");
    options.requireLease = "1".equals(env.get("LICENSE_REQUIRE_LEASE"));
    options.allowTestKeys = "1".equals(env.get("LICENSE_ALLOW_TEST_KEYS"));
    options.lookEvery = 10;
    options.clock = () -> System.currentTimeMillis() / 1000 + offset.addAndGet(step);
    return new LicenseClient(options);
  }

  private static List<Object> judgeVectors(Map<String, Object> given) {
    List<Object> verdicts = new ArrayList<>();
    for (Object item : (List<?>) given.get("vectors")) {
      Map<?, ?> vector = (Map<?, ?>) item;
      LicenseClient.Expected expected = new LicenseClient.Expected(
          keys(given.get("keys")), (String) given.get("issuer"), (String) given.get("product_id"), (String) given.get("device_fingerprint"));
      expected.nonce = (String) vector.get("nonce");
      expected.allowTestKeys = Boolean.TRUE.equals(vector.get("allow_test_keys"));
      expected.now = (Long) given.get("now");
      String verdict = LicenseClient.verifyLease((String) vector.get("lease"), expected).verdict;
      verdicts.add(Map.of("name", vector.get("name"), "verdict", verdict));
    }
    return verdicts;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, String>> keys(Object jwks) {
    return (List<Map<String, String>>) jwks;
  }

  private static Map<String, Object> shown(LicenseClient.Status status) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("allowed", status.allowed);
    shown.put("code", status.code);
    shown.put("source", status.source);
    shown.put("message", status.message);
    shown.put("until", status.until);
    shown.put("features", status.features);
    shown.put("seats", status.seats);
    shown.put("limit", status.limit);
    shown.put("expires_at", status.expiresAt);
    shown.put("ask_online", status.askOnline);
    Long end = status.updatesUntil;
    shown.put("updates_until", end);
    if (end != null) shown.put("covered", List.of(status.covers(end), status.covers(end + 1)));
    return shown;
  }
}
