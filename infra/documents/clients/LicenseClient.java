/*
 * License client for Java: one file, no dependencies. It activates a license key on this device, keeps the lease that
 * the license service signed, and decides from it while the service cannot be reached. Put it into a package of yours.
 *
 *   // Keys copied from /.well-known/jwks.json into the build:
 *   var options = new LicenseClient.Options("https://licenses.example.com", "prd_...", List.of(
 *       Map.of("kid", "...", "x", "...", "y", "..."), Map.of("kid", "...", "x", "...", "y", "...")));
 *   options.appName = "Photo Studio";
 *   var client = new LicenseClient(options);
 *   var status = client.check(); // at the start, and about once a day
 *   if (status.code.equals("no_license")) status = client.activate(keyThatTheUserTyped);
 *   if (!status.allowed) show(status.message);
 *
 * Needs Java 11 or newer with the security updates of April 2022, and its modules java.base and java.net.http alone.
 * Kotlin on the JVM calls it as Java does. Not for Android, which has neither java.net.http nor this name of the signature.
 * Calls block while they wait for the network: keep them off the thread that draws.
 *
 * Proxy and trust store. The proxy is the JVM's: start it with -Djava.net.useSystemProxies=true for the system's, or with
 * -Dhttps.proxyHost=... -Dhttps.proxyPort=... The trust store is the JVM's too, which on Linux is the system's where the
 * JDK comes from it. For the system's start with -Djavax.net.ssl.trustStoreType=Windows-ROOT, or KeychainStore on macOS.
 */

import java.io.*;
import java.math.BigInteger;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.spec.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.LongSupplier;
import java.util.regex.*;
import java.util.stream.Collectors;

/** Safe for use by several threads of one process. */
public final class LicenseClient {
  private static final int ATTEMPTS = 3;
  private static final int SECONDS_PER_ATTEMPT = 10;
  private static final int LONGEST_RETRY_AFTER = 5;
  private static final int LONGEST_REPLY = 64 * 1024;
  private static final int LONGEST_LEASE = 8192;
  /** Seconds that a clock may be wrong. */
  private static final int CLOCK_TOLERANCE = 300;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** What to tell the user, by the code of a status. */
  public static final Map<String, String> MESSAGES = Map.ofEntries(
      Map.entry("valid", "This app is licensed."),
      Map.entry("activated", "This device is now activated."),
      Map.entry("already_activated", "This device is activated."),
      Map.entry("deactivated", "This device is no longer activated."),
      Map.entry("not_activated", "This device was not activated."),
      Map.entry("license_key_malformed", "This license key seems to be mistyped. Please look at it again, or paste it."),
      Map.entry("license_not_found", "This license key is not known for this app."),
      Map.entry("license_replaced", "This license key was replaced by a new one. Please enter the new key."),
      Map.entry("license_revoked", "This license was revoked. Please contact support."),
      Map.entry("license_refunded", "This license was refunded."),
      Map.entry("license_disputed", "The payment of this license is disputed. It works again once the dispute is settled."),
      Map.entry("license_suspended", "This license is on hold. Please contact support."),
      Map.entry("license_expired", "This license has expired."),
      Map.entry("activation_limit_exceeded", "All seats of this license are taken. Deactivate a device you no longer use."),
      Map.entry("deactivation_not_allowed", "This license cannot be moved to another device."),
      Map.entry("lease_valid", "This app is licensed. The license was last confirmed a while ago and will be checked again online."),
      Map.entry("lease_expired", "The license has not been confirmed for too long. Please connect to the internet once."),
      Map.entry("clock_set_back", "The clock of this device seems to be wrong. Please correct it, and connect to the internet once."),
      Map.entry("lease_refused", "This license file is not for this app on this device."),
      Map.entry("no_license", "Please enter your license key."),
      Map.entry("unreachable", "The license cannot be checked now. Please connect to the internet and try again."),
      Map.entry("request_refused", "The license could not be checked. Please contact support."));

  public static final class Options {
    public final String baseUrl;
    public final String productId;
    /** Public keys of the service, members kid, x and y: pin two or more, so that the service can change to the next. */
    public final List<Map<String, String>> keys;
    /** Names the folder of the state. Default: the product's id. */
    public String appName;
    /** Default: a file in the place where the system keeps such things for a user. */
    public Storage storage;
    public String appVersion;
    /** What the user calls this device. */
    public String deviceLabel;
    /** Believe an answer "valid" only with a lease: then a forged server is of no use. */
    public boolean requireLease;
    /** Seconds since 1970. */
    public LongSupplier clock = () -> System.currentTimeMillis() / 1000;

    public Options(String baseUrl, String productId, List<Map<String, String>> keys) {
      this.baseUrl = baseUrl;
      this.productId = productId;
      this.keys = List.copyOf(keys);
    }
  }

  /** Where the state is kept. What was saved must be there whole or not at all, also when the app is killed meanwhile. */
  public interface Storage {
    String load() throws IOException;

    void save(String text) throws IOException;
  }

  public static final class Status {
    /** Whether the app may run. */
    public final boolean allowed;
    public final String code;
    /** Who decided: the "service" just now, the "lease" that is kept, or nobody ("none"). */
    public final String source;
    /** A sentence for the user. */
    public final String message;
    /** When the lease that is kept ends, in seconds since 1970; null without one. */
    public final Long until;
    public final List<String> features;
    /** Whether to call check as soon as there is a network. */
    public final boolean askOnline;

    private Status(boolean allowed, String code, String source, Long until, List<String> features, boolean askOnline) {
      this.allowed = allowed;
      this.code = code;
      this.source = source;
      // An unknown code may come one day: then only what is allowed counts.
      this.message = MESSAGES.getOrDefault(code, MESSAGES.get(allowed ? "valid" : "request_refused"));
      this.until = until;
      this.features = allowed ? List.copyOf(features) : List.of();
      this.askOnline = askOnline;
    }

    private Status withCode(String other) {
      return new Status(allowed, other, source, until, features, askOnline);
    }
  }

  private final Options options;
  private final String issuer;
  private final Storage storage;
  private HttpClient http;

  public LicenseClient(Options options) {
    String folder = options.appName == null ? options.productId : options.appName;
    this.options = options;
    this.issuer = options.baseUrl.replaceAll("/+$", "");
    this.storage = options.storage == null ? new FileStorage(FileStorage.defaultPath(folder)) : options.storage;
  }

  /** Takes a seat for this device. Send the key as the user typed it. */
  public synchronized Status activate(String key) {
    Reply reply = ask("activate", key);
    if (reply.isAnswer()) return reply.is("valid", true) ? accept(key, reply) : refuse(key, reply.code);
    if ("activation_limit_exceeded".equals(reply.code)) return decided(reply.code);
    return reply.isRefusal() ? checkOffline().withCode("request_refused") : unreachable();
  }

  /** Call it at the start and about once a day. Only the service, or the end of the lease, ends what was allowed. */
  public synchronized Status check() {
    String key = load().licenseKey;
    if (key == null) return checkOffline();
    Reply reply = ask("validate", key);
    if (!reply.isAnswer()) return checkOffline();
    if (reply.is("valid", false)) return refuse(key, reply.code);
    // The seat was freed elsewhere, or the state came here from another device.
    return reply.is("device_activated", false) ? activate(key) : accept(key, reply);
  }

  /** Decides by the lease that is kept. Sends nothing. */
  public synchronized Status checkOffline() {
    State state = load();
    long clock = options.clock.getAsLong();
    long time = state.latestSeen == null ? clock : Math.max(clock, state.latestSeen);
    state.latestSeen = time;
    save(state);
    Verification kept = verify(state.lease, state.fingerprint, null, time);
    boolean clockIsSetBack = clock + CLOCK_TOLERANCE < time;
    boolean askOnline = clockIsSetBack || state.licenseKey != null;
    if (kept.isValid()) {
      String code = clockIsSetBack ? "clock_set_back" : "lease_valid";
      return new Status(true, code, "lease", kept.expiresAt, kept.features, askOnline);
    }
    if (kept.verdict.equals("expired")) {
      return new Status(false, "lease_expired", "lease", kept.expiresAt, List.of(), askOnline);
    }
    return new Status(false, state.licenseKey == null ? "no_license" : "unreachable", "none", null, List.of(), askOnline);
  }

  /** Frees the seat of this device, and forgets the key. The fingerprint stays. */
  public synchronized Status deactivate() {
    String key = load().licenseKey;
    if (key == null) return new Status(false, "no_license", "none", null, List.of(), false);
    Reply reply = ask("deactivate", key);
    if (!reply.isAnswer()) return checkOffline().withCode(reply.isRefusal() ? reply.code : "unreachable");
    State state = load();
    state.licenseKey = null;
    state.lease = null;
    save(state);
    return decided(reply.code);
  }

  /** What the user of a device without network takes to the page /activate. The same until a lease was imported. */
  public synchronized String makeRequestCode() {
    State state = loadWithFingerprint();
    if (state.nonce == null) {
      state.nonce = randomText();
      save(state);
    }
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("p", options.productId);
    request.put("d", state.fingerprint);
    request.put("l", options.deviceLabel);
    request.put("n", state.nonce);
    return "LAR1." + toBase64url(Json.write(request).getBytes(StandardCharsets.UTF_8));
  }

  /** Takes the text of the file license.lease that the page /activate gave. */
  public synchronized Status importLease(String text) {
    State state = load();
    String lease = text.strip();
    Verification imported = verify(lease, state.fingerprint, state.nonce, options.clock.getAsLong());
    // A device without network cannot ask whose clock is wrong.
    if (imported.isValid() || imported.verdict.equals("clock")) {
      state.lease = lease;
      state.nonce = null;
      state.latestSeen = Math.max(imported.issuedAt, state.latestSeen == null ? 0 : state.latestSeen);
      save(state);
      return checkOffline();
    }
    return checkOffline().withCode(imported.verdict.equals("expired") ? "lease_expired" : "lease_refused");
  }

  private Status accept(String key, Reply reply) {
    if (options.requireLease && reply.lease == null) return unreachable();
    State state = load();
    state.licenseKey = key;
    Verification kept = verify(state.lease, state.fingerprint, null, null);
    if (kept.licenseId == null || !kept.licenseId.equals(reply.body.get("license_id"))) {
      state.lease = null;
      kept = new Verification("malformed");
    }
    if (reply.lease != null) {
      // The signed time, not the later of both: it heals a clock that once ran ahead.
      state.latestSeen = reply.verified.issuedAt;
      if (!kept.isValid() || kept.expiresAt <= reply.verified.expiresAt) {
        state.lease = reply.lease;
        kept = reply.verified;
      }
    }
    save(state);
    List<String> features = texts(reply.body.get("features"));
    return new Status(true, reply.code, "service", kept.isValid() ? kept.expiresAt : null, features == null ? kept.features : features, false);
  }

  private Status refuse(String key, String code) {
    State state = load();
    if (key.equals(state.licenseKey)) {
      state.lease = null;
      save(state);
    }
    return decided(code);
  }

  private Status unreachable() {
    Status status = checkOffline();
    return status.code.equals("no_license") ? status.withCode("unreachable") : status;
  }

  private static Status decided(String code) {
    return new Status(false, code, "service", null, List.of(), false);
  }

  /** A refusal is about the request, not about the license. Neither it nor an answer: it did not come from the service. */
  private static final class Reply {
    final int status;
    final Map<String, Object> body;
    final String code;
    String lease;
    Verification verified;

    Reply(int status, Map<String, Object> body) {
      this.status = status;
      this.body = body;
      this.code = text(body.get("code"));
    }

    boolean isAnswer() {
      return status == 200;
    }

    boolean isRefusal() {
      return code != null && !isAnswer();
    }

    boolean is(String name, boolean value) {
      return Boolean.valueOf(value).equals(body.get(name));
    }
  }

  /** A reply carries a lease only if it is signed, for this device and for this very request. */
  private Reply ask(String call, String key) {
    String fingerprint = loadWithFingerprint().fingerprint;
    String nonce = call.equals("deactivate") ? null : randomText();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("product_id", options.productId);
    body.put("license_key", key);
    body.put("device_fingerprint", fingerprint);
    body.put("nonce", nonce);
    body.put("device_label", options.deviceLabel);
    body.put("app_version", options.appVersion);
    Reply reply = send(URI.create(issuer + "/v1/licenses/" + call), Json.write(body));
    String lease = text(reply.body.get("lease"));
    reply.verified = verify(lease, fingerprint, nonce, null);
    if (reply.verified.isValid()) reply.lease = lease;
    return reply;
  }

  /** Tries a few times, and no more once the thread is interrupted. */
  private Reply send(URI uri, String body) {
    if (http == null) {
      http = HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .proxy(ProxySelector.getDefault())
          .build();
    }
    HttpRequest request = HttpRequest.newBuilder(uri)
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        double seconds = ThreadLocalRandom.current().nextDouble(0.5, 1) * (1 << attempt);
        CompletableFuture<HttpResponse<byte[]>> pending = http.sendAsync(request, ignored -> new BoundedBody());
        try {
          HttpResponse<byte[]> response = pending.get(SECONDS_PER_ATTEMPT, TimeUnit.SECONDS);
          Reply reply = parseReply(response);
          if (reply != null) return reply;
          String retryAfter = response.headers().firstValue("retry-after").orElse("");
          if (retryAfter.matches("[0-9]+")) seconds = Double.parseDouble(retryAfter);
        } catch (ExecutionException | TimeoutException noConnection) {
          // The next attempt may find one.
        } finally {
          pending.cancel(true);
        }
        if (seconds > LONGEST_RETRY_AFTER) break;
        if (attempt + 1 < ATTEMPTS) Thread.sleep((long) (seconds * 1000));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return new Reply(0, Map.of());
  }

  private static Reply parseReply(HttpResponse<byte[]> response) {
    Map<String, Object> body = Json.readObject(response.body());
    if (body == null || !(body.get("code") instanceof String)) return null;
    int status = response.statusCode();
    boolean isReply = status == 200 ? body.get("valid") instanceof Boolean : status == 400 || status == 403 || status == 409;
    return isReply ? new Reply(status, body) : null;
  }

  /** Fails when the reply is longer than one of the service can be. */
  private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private Flow.Subscription subscription;

    public CompletionStage<byte[]> getBody() {
      return body;
    }

    public void onSubscribe(Flow.Subscription started) {
      subscription = started;
      started.request(Long.MAX_VALUE);
    }

    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        read.writeBytes(bytes);
      }
      if (read.size() <= LONGEST_REPLY) return;
      subscription.cancel();
      body.completeExceptionally(new IOException("The reply is too long."));
    }

    public void onError(Throwable error) {
      body.completeExceptionally(error);
    }

    public void onComplete() {
      body.complete(read.toByteArray());
    }
  }

  private Verification verify(String lease, String fingerprint, String nonce, Long now) {
    Expected expected = new Expected(options.keys, issuer, options.productId, fingerprint == null ? "" : fingerprint);
    expected.nonce = nonce;
    expected.now = now;
    return verifyLease(lease == null ? "" : lease, expected);
  }

  /** What is missing, unreadable or broken counts as never stored. */
  private static final class State {
    String fingerprint;
    String licenseKey;
    String lease;
    /** Of the request code that waits for its lease. */
    String nonce;
    Long latestSeen;

    String toJson() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("fingerprint", fingerprint);
      members.put("license_key", licenseKey);
      members.put("lease", lease);
      members.put("nonce", nonce);
      members.put("latest_seen", latestSeen);
      return Json.write(members);
    }
  }

  private State load() {
    State state = new State();
    try {
      Map<String, Object> members = Json.readObject(storage.load().getBytes(StandardCharsets.UTF_8));
      if (members == null) return state;
      state.fingerprint = text(members.get("fingerprint"));
      state.licenseKey = text(members.get("license_key"));
      state.lease = text(members.get("lease"));
      state.nonce = text(members.get("nonce"));
      state.latestSeen = members.get("latest_seen") instanceof Long ? (Long) members.get("latest_seen") : null;
    } catch (IOException | RuntimeException unreadable) {
      return new State();
    }
    return state;
  }

  /** A full disk must not stop an app that is paid for, so that a failed save is no error. */
  private void save(State state) {
    try {
      storage.save(state.toJson());
    } catch (IOException | RuntimeException notStored) {
      // The next change tries again.
    }
  }

  /** Made once at random, never from hardware. A fingerprint that cannot be kept would take another seat at each start. */
  private State loadWithFingerprint() {
    State state = load();
    if (state.fingerprint != null) return state;
    state.fingerprint = randomText();
    save(state);
    State kept = load();
    if (kept.fingerprint == null) throw new IllegalStateException("The state of the license cannot be stored.");
    return kept;
  }

  /** A file that only its user can read. */
  public static final class FileStorage implements Storage {
    private final Path path;

    public FileStorage(Path path) {
      this.path = path.toAbsolutePath();
    }

    public static Path defaultPath(String appName) {
      String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
      Path home = Path.of(System.getProperty("user.home"));
      Path folder = system.startsWith("mac") ? home.resolve("Library/Application Support")
          : system.startsWith("windows") ? fromEnvironment("LOCALAPPDATA", home.resolve("AppData/Local"))
          : fromEnvironment("XDG_STATE_HOME", home.resolve(".local/state"));
      return folder.resolve(appName).resolve("license.json");
    }

    private static Path fromEnvironment(String name, Path otherwise) {
      String value = System.getenv(name);
      return value == null || value.isEmpty() ? otherwise : Path.of(value);
    }

    public String load() throws IOException {
      return Files.readString(path);
    }

    /** Renaming is atomic: whoever reads sees the old state or the new one, also when two apps write or one is killed. */
    public void save(String text) throws IOException {
      Files.createDirectories(path.getParent());
      // Java makes temporary files with mode 0600.
      Path temporary = Files.createTempFile(path.getParent(), "license", ".tmp");
      try {
        try (FileChannel file = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
          ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
          while (bytes.hasRemaining()) file.write(bytes);
          file.force(true);
        }
        Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    }
  }

  public static final class Expected {
    public final List<Map<String, String>> keys;
    public final String issuer;
    public final String productId;
    public final String fingerprint;
    /** The nonce that was sent; null if none was. */
    public String nonce;
    /** Seconds since 1970. Without it a lease is valid at any time. */
    public Long now;

    public Expected(List<Map<String, String>> keys, String issuer, String productId, String fingerprint) {
      this.keys = keys;
      this.issuer = issuer;
      this.productId = productId;
      this.fingerprint = fingerprint;
    }
  }

  public static final class Verification {
    /** "valid", or what is wrong: malformed, alg, typ, header, kid, signature, issuer, product, device, nonce, expired or clock. */
    public final String verdict;
    /** Null unless the lease is for this device. */
    public final String licenseId;
    /** When the lease was signed, and when it ends, in seconds since 1970. 0 unless the lease is for this device. */
    public final long issuedAt;
    public final long expiresAt;
    public final List<String> features;

    private Verification(String verdict, String licenseId, long issuedAt, long expiresAt, List<String> features) {
      this.verdict = verdict;
      this.licenseId = licenseId;
      this.issuedAt = issuedAt;
      this.expiresAt = expiresAt;
      this.features = features;
    }

    private Verification(String fault) {
      this(fault, null, 0, 0, List.of());
    }

    public boolean isValid() {
      return verdict.equals("valid");
    }
  }

  /** Says what is wrong with a lease, the first fault in a fixed order. */
  public static Verification verifyLease(String lease, Expected expected) {
    String[] parts = lease.length() > LONGEST_LEASE ? new String[0] : lease.split("[.]", -1);
    if (parts.length != 3) return new Verification("malformed");
    Map<String, Object> header = Json.readObject(fromBase64url(parts[0]));
    Map<String, Object> payload = Json.readObject(fromBase64url(parts[1]));
    byte[] signature = fromBase64url(parts[2]);
    if (header == null || payload == null || signature == null) return new Verification("malformed");
    if (!"ES256".equals(header.get("alg"))) return new Verification("alg");
    if (!"license-lease+jwt".equals(header.get("typ"))) return new Verification("typ");
    // Each of these would let the lease name its own key, or demand rules that are not kept here.
    for (String name : List.of("jwk", "jku", "x5u", "x5c", "crit")) if (header.containsKey(name)) return new Verification("header");
    Map<String, String> key = null;
    for (Map<String, String> pinned : expected.keys) if (pinned.get("kid").equals(header.get("kid"))) key = pinned;
    if (key == null) return new Verification("kid");
    if (!isSignedBy(key, parts[0] + "." + parts[1], signature)) return new Verification("signature");

    String issuer = text(payload.get("iss"));
    Object audience = payload.get("aud");
    String subject = text(payload.get("sub"));
    String device = text(payload.get("dev"));
    List<String> features = texts(payload.get("features"));
    if (issuer == null || !(audience instanceof String || audience instanceof List)) return new Verification("malformed");
    if (subject == null || device == null || features == null) return new Verification("malformed");
    if (!(payload.get("iat") instanceof Long && payload.get("exp") instanceof Long)) return new Verification("malformed");
    if (!issuer.equals(expected.issuer)) return new Verification("issuer");
    if (!audience.equals(expected.productId)) return new Verification("product");
    if (!device.equals(deviceOf(subject, expected.fingerprint))) return new Verification("device");
    if (expected.nonce != null && !expected.nonce.equals(payload.get("nonce"))) return new Verification("nonce");
    long issuedAt = (Long) payload.get("iat");
    long expiresAt = (Long) payload.get("exp");
    boolean isExpired = expected.now != null && expected.now >= expiresAt;
    boolean isOfTheFuture = expected.now != null && issuedAt > expected.now + CLOCK_TOLERANCE;
    return new Verification(isExpired ? "expired" : isOfTheFuture ? "clock" : "valid", subject, issuedAt, expiresAt, features);
  }

  private static boolean isSignedBy(Map<String, String> jwk, String signed, byte[] signature) {
    try {
      AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
      curve.init(new ECGenParameterSpec("secp256r1"));
      ECPoint point = new ECPoint(new BigInteger(1, fromBase64url(jwk.get("x"))), new BigInteger(1, fromBase64url(jwk.get("y"))));
      ECPublicKeySpec key = new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class));
      Signature ecdsa = Signature.getInstance("SHA256withECDSAinP1363Format");
      ecdsa.initVerify(KeyFactory.getInstance("EC").generatePublic(key));
      ecdsa.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signature.length == 64 && isPositive(signature, 0) && isPositive(signature, 32) && ecdsa.verify(signature);
    } catch (GeneralSecurityException impossible) {
      return false;
    }
  }

  /** Some versions of Java take a signature of zeros for one of any text (CVE-2022-21449). */
  private static boolean isPositive(byte[] signature, int from) {
    return new BigInteger(1, Arrays.copyOfRange(signature, from, from + 32)).signum() > 0;
  }

  private static String deviceOf(String licenseId, String fingerprint) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return toBase64url(digest.digest((licenseId + '\0' + fingerprint).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /** Null unless it is the one right spelling: no padding, no other alphabet, no bits left over. */
  private static byte[] fromBase64url(String text) {
    if (!text.matches("[A-Za-z0-9_-]*") || text.length() % 4 == 1) return null;
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    return toBase64url(bytes).equals(text) ? bytes : null;
  }

  private static String toBase64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String randomText() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return toBase64url(bytes);
  }

  private static String text(Object value) {
    return value instanceof String ? (String) value : null;
  }

  private static List<String> texts(Object value) {
    if (!(value instanceof List)) return null;
    List<String> texts = new ArrayList<>();
    for (Object item : (List<?>) value) {
      if (!(item instanceof String)) return null;
      texts.add((String) item);
    }
    return texts;
  }

  /** Strict JSON: no name twice in an object, no lone surrogates, at most 64 levels. Integers are Longs, other numbers Doubles. */
  static final class Json {
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");
    private static final int DEEPEST = 64;
    private static final int END = -1;
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    /** Null unless it is UTF-8 JSON of an object. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> readObject(byte[] utf8) {
      Object value = utf8 == null ? null : read(utf8);
      return value instanceof Map ? (Map<String, Object>) value : null;
    }

    /** Null unless it is UTF-8 JSON. */
    static Object read(byte[] utf8) {
      try {
        Json json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
        Object value = json.value(0);
        return json.peek() == END ? value : null;
      } catch (CharacterCodingException | IllegalArgumentException malformed) {
        return null;
      }
    }

    private Object value(int depth) {
      if (depth > DEEPEST) throw malformed();
      switch (peek()) {
        case '{': return object(depth);
        case '[': return array(depth);
        case '"': return string();
        case 't': return literal("true", true);
        case 'f': return literal("false", false);
        case 'n': return literal("null", null);
        default: return number();
      }
    }

    private Object number() {
      Matcher number = NUMBER.matcher(text).region(at, text.length());
      if (!number.lookingAt()) throw malformed();
      at = number.end();
      boolean isInteger = number.group(1) == null && number.group(2) == null && number.group().length() <= 18;
      return isInteger ? (Object) Long.valueOf(number.group()) : Double.valueOf(number.group());
    }

    private Object literal(String name, Object value) {
      if (!text.startsWith(name, at)) throw malformed();
      at += name.length();
      return value;
    }

    private Map<String, Object> object(int depth) {
      Map<String, Object> members = new LinkedHashMap<>();
      skip('{');
      if (skips('}')) return members;
      do {
        String name = string();
        skip(':');
        if (members.containsKey(name)) throw malformed();
        members.put(name, value(depth + 1));
      } while (skips(','));
      skip('}');
      return members;
    }

    private List<Object> array(int depth) {
      List<Object> items = new ArrayList<>();
      skip('[');
      if (skips(']')) return items;
      do items.add(value(depth + 1));
      while (skips(','));
      skip(']');
      return items;
    }

    private String string() {
      StringBuilder value = new StringBuilder();
      skip('"');
      for (char symbol = symbol(); symbol != '"'; symbol = symbol()) {
        if (symbol < ' ') throw malformed();
        value.append(symbol == '\\' ? escaped() : symbol);
      }
      // Half of a surrogate pair is no text: it could not be written again.
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) throw malformed();
      return value.toString();
    }

    private char escaped() {
      char symbol = symbol();
      if (symbol != 'u') {
        int escape = ESCAPES.indexOf(symbol);
        if (escape < 0) throw malformed();
        return ESCAPED.charAt(escape);
      }
      int code = 0;
      for (int i = 0; i < 4; i++) {
        int digit = "0123456789abcdef".indexOf(Character.toLowerCase(symbol()));
        if (digit < 0) throw malformed();
        code = code * 16 + digit;
      }
      return (char) code;
    }

    private char symbol() {
      if (at == text.length()) throw malformed();
      return text.charAt(at++);
    }

    /** The next symbol that is no white space; END after the last. */
    private int peek() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
      return at == text.length() ? END : text.charAt(at);
    }

    private boolean skips(char symbol) {
      boolean isNext = peek() == symbol;
      if (isNext) at++;
      return isNext;
    }

    private void skip(char symbol) {
      if (!skips(symbol)) throw malformed();
    }

    private static IllegalArgumentException malformed() {
      return new IllegalArgumentException("This is not strict JSON.");
    }

    /** Members that are null are left out. */
    static String write(Object value) {
      if (value instanceof String) return quoted((String) value);
      if (value instanceof List) return ((List<?>) value).stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
      if (!(value instanceof Map)) return String.valueOf(value);
      return ((Map<?, ?>) value).entrySet().stream()
          .filter(member -> member.getValue() != null)
          .map(member -> quoted((String) member.getKey()) + ":" + write(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(String text) {
      StringBuilder json = new StringBuilder("\"");
      for (char symbol : text.toCharArray()) {
        if (symbol == '"' || symbol == '\\') json.append('\\').append(symbol);
        else if (symbol < ' ') json.append(String.format("\\u%04x", (int) symbol));
        else json.append(symbol);
      }
      return json.append('"').toString();
    }
  }
}
