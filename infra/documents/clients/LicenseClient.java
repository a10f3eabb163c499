/*
 * SPDX-License-Identifier: MIT-0
 * Copyright 2026 the authors of the license service
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
 * persons to whom the Software is furnished to do so.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */

/*
 * License client for Java: one file, no dependencies. It activates a license key on this device, keeps the lease that
 * the license service signed, and decides from it while the service cannot be reached. Put it into a package of yours.
 *
 *   // Keys copied from /.well-known/jwks.json into the build:
 *   var options = new LicenseClient.Options("https://api.example.com", "prd_...", List.of(
 *       Map.of("kid", "...", "x", "...", "y", "..."), Map.of("kid", "...", "x", "...", "y", "...")));
 *   options.appName = "Photo Studio";
 *   var client = new LicenseClient(options);
 *   var status = client.check(); // at the start
 *   if (status.code.equals("no_license")) status = client.activate(keyThatTheUserTyped);
 *   if (!status.allowed) show(status.message);
 *   Runnable stop = client.watch(later -> { if (!later.allowed) show(later.message); }); // daily, and when the device wakes up
 *
 * Needs Java 11 or newer with the security updates of April 2022, and its modules java.base and java.net.http alone.
 * Kotlin on the JVM calls it as Java does. Not for Android, which has neither java.net.http nor this name of the signature.
 * Calls block while they wait for the network: keep them off the thread that draws.
 *
 * Proxy and trust store. The proxy is the JVM's: start it with -Djava.net.useSystemProxies=true for the system's, or with
 * -Dhttps.proxyHost=... -Dhttps.proxyPort=... The trust store is the JVM's too, which on Linux is the system's where the
 * JDK comes from it. For the system's start with -Djavax.net.ssl.trustStoreType=Windows-ROOT, or KeychainStore on macOS.
 */

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import java.io.IOException;
import java.math.*;
import java.net.*;
import java.net.http.*;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.security.*;
import java.security.spec.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.*;
import java.util.stream.Collectors;

/** Safe for use by several threads of one process. */
public final class LicenseClient {
  private static final int ATTEMPTS = 3;
  private static final int SECONDS_PER_ATTEMPT = 10;
  private static final int LONGEST_RETRY_AFTER = 5;
  private static final int LONGEST_REPLY = 128 * 1024;
  private static final int LONGEST_LEASE = 64 * 1024;
  /** Seconds that a clock may be wrong. */
  private static final int CLOCK_TOLERANCE = 300;
  private static final int HOUR = 3_600;
  private static final int DAY = 86_400;

  /** What to tell the user, by the code of a status. The client puts a date of ISO 8601 and the address of the page for buyers into it. */
  public static final Map<String, String> MESSAGES = Map.ofEntries(
      entry("valid", "This app is licensed."),
      entry("activated", "This device is now activated."),
      entry("already_activated", "This device is activated."),
      entry("deactivated", "This device is no longer activated."),
      entry("not_activated", "This device was not activated."),
      entry("license_key_malformed", "This license key seems to be mistyped or incomplete. Please look at it again, or paste it."),
      entry("license_not_found", "This license key is not known for this app."),
      entry("license_replaced", "This license key was replaced by a new one. Please enter the new key."),
      entry("license_revoked", "This license was revoked. Please contact support."),
      entry("license_refunded", "This license was refunded."),
      entry("license_disputed", "The payment of this license is disputed. It works again once the dispute is settled."),
      entry("license_suspended", "This license is on hold. Please contact support."),
      entry("license_expired", "This license has expired."),
      entry("activation_limit_exceeded", "All seats of this license are taken. Release a device that you no longer use at {manage}."),
      entry("deactivation_not_allowed", "This license cannot be moved to another device."),
      entry("lease_valid", "This app is licensed. The license will be checked again online."),
      entry("licensed_until", "This app is licensed until {date}."),
      entry("lease_expired", "The license has not been confirmed for too long. Please connect to the internet once."),
      entry("clock_set_back", "The clock of this device seems to be wrong. Please correct it, and connect to the internet once."),
      entry("lease_refused", "This license file is not for this app on this device."),
      entry("test_key_refused", "This license is for testing, and only builds with the option allowTestKeys take it. Please enter your own license key."),
      entry("no_license", "Please enter your license key."),
      entry("not_stored",
          "The license cannot be stored on this device. Please free disk space, or let this app write to its folder, and try again."),
      entry("unreachable", "The license cannot be checked now. Please connect to the internet and try again."),
      entry("request_refused", "The license could not be checked. Please contact support."));

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
    /** Take test keys, too: in builds for yourself alone. */
    public boolean allowTestKeys;
    /** How often watch looks at the clock, in milliseconds. */
    public long lookEvery = 60_000;
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

    /** Keeps the fingerprint unless there is one, and returns what is kept: the same to all processes. Null: the state keeps it. */
    default String claimFingerprint(String offered) throws IOException {
      return null;
    }

    /** Lets one process after the other change the state, until it runs what this returns. Needed where several may run at once. */
    default Runnable lock() {
      return () -> { };
    }
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
    /** How many devices have a seat, of how many, and when the license itself ends (ISO 8601): null unless the service has just said so. */
    public final Long seats;
    public final Long limit;
    public final String expiresAt;
    /** Until when updates come, in seconds since 1970; null: without end. */
    public final Long updatesUntil;
    /** Whether to call check as soon as there is a network. */
    public final boolean askOnline;
    private final Members terms;

    private Status(boolean allowed, String code, String message, String source, Long until, List<String> features, Members terms,
        boolean askOnline) {
      this.allowed = allowed;
      this.code = code;
      this.source = source;
      this.message = message;
      this.until = until;
      this.features = allowed ? List.copyOf(features) : List.of();
      this.seats = terms.get("activation_count") instanceof Long ? (Long) terms.get("activation_count") : null;
      this.limit = terms.get("activation_limit") instanceof Long ? (Long) terms.get("activation_limit") : null;
      this.expiresAt = terms.text("expires_at");
      this.updatesUntil = secondsOf(terms.get("updates_until"));
      this.askOnline = askOnline;
      this.terms = terms;
    }

    /** Whether the license may run a build that was released at this time, in seconds since 1970. */
    public boolean covers(long releasedAt) {
      return allowed && (updatesUntil == null || releasedAt <= updatesUntil);
    }

    /** Seconds in a lease, a time of ISO 8601 in a reply. */
    private static Long secondsOf(Object end) {
      if (end instanceof Long) return (Long) end;
      try {
        return Instant.parse(String.valueOf(end)).getEpochSecond();
      } catch (DateTimeException none) {
        return null;
      }
    }
  }

  private final Options options;
  private final String issuer;
  private final Storage storage;

  public LicenseClient(Options options) {
    String folder = options.appName == null ? options.productId : options.appName;
    this.options = options;
    this.issuer = options.baseUrl.replaceAll("/+$", "");
    this.storage = options.storage == null ? new FileStorage(FileStorage.defaultPath(folder)) : options.storage;
  }

  /** Takes a seat for this device. Send the key as the user typed it. Without a reply it is kept, and tried again by check. */
  public Status activate(String key) {
    if (!canKeep(key)) return withCode(checkOffline(), "not_stored");
    Reply reply = askForSeat(key);
    if (!reply.isAnswer && !reply.isRefusal) return unanswered(key);
    forgetPendingKey();
    if (reply.isAnswer) return decide(key, reply);
    return "activation_limit_exceeded".equals(reply.code) ? denied(key, reply.code, reply) : withCode(checkOffline(), "request_refused");
  }

  /** Call it at the start and about once a day. Only the service, or the end of the lease, ends what was allowed. */
  public Status check() {
    Members state = load();
    if (state.text("pending_key") != null) return activate(state.text("pending_key"));
    String key = state.text("license_key");
    if (key == null) return checkOffline();
    if (fingerprint() == null) return withCode(checkOffline(), "not_stored");
    Reply reply = ask("validate", key);
    if (!reply.isAnswer) return checkOffline();
    // The seat was freed elsewhere, or the state came here from another device.
    boolean hasNoSeat = reply.isValid && Boolean.FALSE.equals(reply.body.get("device_activated"));
    return hasNoSeat ? activate(key) : decide(key, reply);
  }

  /**
   * Checks about once a day, when the device woke up, and each hour while the service does not answer. It does so in a thread
   * of its own, which shows each status. Returns what ends it.
   */
  public Runnable watch(Consumer<Status> show) {
    Thread thread = new Thread(() -> {
      long seen = options.clock.getAsLong();
      long due = seen + around(DAY);
      while (true) {
        try {
          Thread.sleep(options.lookEvery);
        } catch (InterruptedException stopped) {
          return;
        }
        long now = options.clock.getAsLong();
        boolean hasJumped = Math.abs(now - seen) > CLOCK_TOLERANCE;
        seen = now;
        if (now < due && !hasJumped) continue;
        Status status = check();
        due = now + around(status.askOnline ? HOUR : DAY);
        if (Thread.interrupted()) return;
        show.accept(status);
      }
    }, "license");
    thread.setDaemon(true);
    thread.start();
    return thread::interrupt;
  }

  /** So that those who were started together do not ask together. */
  private static long around(int seconds) {
    return (long) (seconds * ThreadLocalRandom.current().nextDouble(0.75, 1.25));
  }

  /** Decides by the lease that is kept. Sends nothing. */
  public synchronized Status checkOffline() {
    long clock = options.clock.getAsLong();
    Members state = update(old -> old.with("latest_seen", Math.max(clock, old.integer("latest_seen", clock))));
    long time = state.integer("latest_seen", clock);
    boolean hasKey = state.text("license_key") != null || state.text("pending_key") != null;
    boolean clockIsSetBack = clock + CLOCK_TOLERANCE < time;
    boolean askOnline = clockIsSetBack || hasKey;
    Verification kept = verify(state, state.text("lease"), null, time);
    switch (kept.verdict) {
      case "valid":
        String code = clockIsSetBack ? "clock_set_back" : "offline".equals(kept.claims.get("kind")) ? "licensed_until" : "lease_valid";
        return fromLease(true, code, kept, askOnline);
      case "expired":
        return fromLease(false, "lease_expired", kept, askOnline);
      case "test":
        return status(false, "test_key_refused", "lease", askOnline);
      default:
        boolean isRefused = state.text("pending_key") == null && state.text("refused") != null;
        return status(false, !hasKey ? "no_license" : isRefused ? state.text("refused") : "unreachable", "none", askOnline);
    }
  }

  /** Frees the seat of this device, and forgets the key. The fingerprint stays. */
  public Status deactivate() {
    String key = load().text("license_key");
    if (key == null) {
      forgetPendingKey();
      return status(false, "no_license", "none", false);
    }
    Reply reply = ask("deactivate", key);
    if (!reply.isAnswer) return withCode(checkOffline(), reply.isRefusal ? reply.code : "unreachable");
    update(state -> state.with("license_key", null).with("pending_key", null).with("lease", null).with("refused", null));
    return status(false, reply.code, "service", false);
  }

  /** What the user of a device without network takes to the page /activate. The same until a lease was imported. Fails where it cannot be stored. */
  public synchronized String makeRequestCode() {
    String fingerprint = fingerprint();
    if (fingerprint == null) throw new IllegalStateException(MESSAGES.get("not_stored"));
    Members state = update(old -> old.text("nonce") == null ? old.with("nonce", randomText()) : old);
    Members request = new Members().with("p", options.productId).with("d", fingerprint)
        .with("l", options.deviceLabel).with("n", state.text("nonce"));
    return "LAR1." + toBase64url(Json.write(request).getBytes(UTF_8));
  }

  /** Takes the text of the file license.lease that the page /activate gave. */
  public synchronized Status importLease(String text) {
    Members state = load();
    Verification imported = verify(state, text.strip(), state.text("nonce"), options.clock.getAsLong());
    // A device without network cannot ask whose clock is wrong.
    if (imported.verdict.equals("valid") || imported.verdict.equals("clock")) {
      // An answer to this very request code heals a clock that once ran ahead; an old file must not.
      long floor = state.text("nonce") != null ? 0 : state.integer("latest_seen", 0);
      long latestSeen = Math.max(imported.issuedAt(), floor);
      update(old -> old.with("lease", text.strip()).with("nonce", null).with("refused", null).with("latest_seen", latestSeen));
      return checkOffline();
    }
    Map<String, String> codes = Map.of("expired", "lease_expired", "test", "test_key_refused");
    return withCode(checkOffline(), codes.getOrDefault(imported.verdict, "lease_refused"));
  }

  private Status decide(String key, Reply reply) {
    boolean isForTests = Boolean.TRUE.equals(reply.body.get("test")) && !options.allowTestKeys;
    if (!reply.isValid) return refused(key, reply.code, reply);
    if (isForTests) {
      // A build that takes test keys has left its seat.
      if (Boolean.TRUE.equals(reply.body.get("device_activated"))) ask("deactivate", key);
      return refused(key, "test_key_refused", reply);
    }
    return options.requireLease && reply.lease == null ? unanswered(key) : granted(key, reply);
  }

  private Status granted(String key, Reply reply) {
    Members state = update(old -> {
      Verification kept = verify(old, old.text("lease"), null, null);
      boolean isOfLicense = kept.claims != null && kept.claims.get("sub").equals(reply.body.get("license_id"));
      old.with("license_key", key).remove("refused");
      if (!isOfLicense) old.remove("lease");
      // The signed time, not the later of both: it heals a clock that once ran ahead.
      if (reply.lease != null) old.put("latest_seen", reply.lease.issuedAt());
      boolean endsSooner = !isOfLicense || reply.lease != null && kept.expiresAt() <= reply.lease.expiresAt();
      return reply.lease != null && endsSooner ? old.with("lease", reply.body.text("lease")) : old;
    });
    if (!key.equals(load().text("license_key"))) {
      // The next start would take another seat.
      ask("deactivate", key);
      return withCode(checkOffline(), "not_stored");
    }
    Verification kept = verify(state, state.text("lease"), null, null);
    List<String> features = reply.body.texts("features");
    if (features == null) features = kept.claims == null ? List.of() : kept.features();
    Long until = kept.claims == null ? null : kept.expiresAt();
    return new Status(true, reply.code, message(reply.code, "valid", until), "service", until, features, reply.body, false);
  }

  private Status unanswered(String key) {
    update(state -> key.equals(state.text("license_key")) ? state : state.with("pending_key", key));
    return checkOffline();
  }

  private void forgetPendingKey() {
    update(state -> state.with("pending_key", null));
  }

  private Status refused(String key, String code, Reply reply) {
    update(state -> key.equals(state.text("license_key")) ? state.with("lease", null).with("refused", code) : state);
    return denied(key, code, reply);
  }

  /** A no for this key. The license that the device has under another one goes on. */
  private Status denied(String key, String code, Reply reply) {
    String kept = load().text("license_key");
    if (!key.equals(kept)) {
      Status status = checkOffline();
      // Where its terms give no lease, only the service knows.
      if (!status.allowed && kept != null) status = check();
      if (status.allowed) return withCode(status, code);
    }
    return new Status(false, code, message(code, "request_refused", null), "service", null, List.of(), reply.body, false);
  }

  private Status status(boolean allowed, String code, String source, boolean askOnline) {
    return new Status(allowed, code, message(code, "request_refused", null), source, null, List.of(), new Members(), askOnline);
  }

  private Status fromLease(boolean allowed, String code, Verification kept, boolean askOnline) {
    String message = message(code, "request_refused", kept.expiresAt());
    Members terms = new Members().with("updates_until", kept.claims.get("updates_until"));
    return new Status(allowed, code, message, "lease", kept.expiresAt(), kept.features(), terms, askOnline);
  }

  private Status withCode(Status other, String code) {
    String message = message(code, "request_refused", other.until);
    return new Status(other.allowed, code, message, other.source, other.until, other.features, other.terms, other.askOnline);
  }

  /** An unknown code may come one day: then another one's sentence is said. */
  private String message(String code, String other, Long until) {
    String date = Instant.ofEpochSecond(until == null ? 0 : until).atOffset(ZoneOffset.UTC).toLocalDate().toString();
    return MESSAGES.getOrDefault(code, MESSAGES.get(other)).replace("{date}", date).replace("{manage}", issuer + "/manage");
  }

  private Verification verify(Members state, String lease, String nonce, Long now) {
    String fingerprint = Objects.requireNonNullElse(state.text("fingerprint"), "");
    Expected expected = new Expected(options.keys, issuer, options.productId, fingerprint);
    expected.nonce = nonce;
    expected.allowTestKeys = options.allowTestKeys;
    expected.now = now;
    return verifyLease(lease == null ? "" : lease, expected);
  }

  /** What is missing, unreadable or broken counts as never stored. */
  private Members load() {
    Members state = null;
    try {
      state = Json.readObject(storage.load().getBytes(UTF_8));
    } catch (IOException | RuntimeException unreadable) {
      // As if nothing was stored.
    }
    return state == null ? new Members() : state;
  }

  /** One change of the state after the other; nobody waits here for the network. Returns what the state is then. */
  private synchronized Members update(UnaryOperator<Members> change) {
    Runnable unlock = storage.lock();
    try {
      Members state = load();
      String before = Json.write(state);
      Members changed = change.apply(state);
      if (!Json.write(changed).equals(before)) isSaved(changed);
      return changed;
    } finally {
      unlock.run();
    }
  }

  /** A full disk must not stop an app that is paid for, so that a failed save is no error. */
  private boolean isSaved(Members state) {
    try {
      storage.save(Json.write(state));
      return true;
    } catch (IOException | RuntimeException notStored) {
      return false;
    }
  }

  /** Whether the device would know its seat again. The key is stored before it is asked for, in case the app is killed meanwhile. */
  private synchronized boolean canKeep(String key) {
    if (fingerprint() == null) return false;
    Runnable unlock = storage.lock();
    try {
      Members state = load();
      return key.equals(state.text("license_key")) || isSaved(state.with("pending_key", key));
    } finally {
      unlock.run();
    }
  }

  /** Made once at random, never from hardware. Null where it cannot be kept: it would take another seat at each start. */
  private synchronized String fingerprint() {
    String stored = load().text("fingerprint");
    // One that an older client kept in its state is offered, so that the device stays the same.
    String claimed = claimFingerprint(stored == null ? randomText() : stored);
    if (stored != null && (claimed == null || claimed.equals(stored))) return stored;
    update(state -> claimed == null && state.text("fingerprint") != null
        ? state : state.with("fingerprint", claimed == null ? randomText() : claimed));
    return claimed == null ? load().text("fingerprint") : claimed;
  }

  private String claimFingerprint(String offered) {
    try {
      return storage.claimFingerprint(offered);
    } catch (IOException | RuntimeException notStored) {
      return null;
    }
  }

  /** A refusal is about the request, not about the license. Neither it nor an answer: it did not come from the service. */
  private static final class Reply {
    final Members body;
    final String code;
    final boolean isAnswer;
    final boolean isRefusal;
    final boolean isValid;
    /** Null unless one came along that is signed, for this device and for this very request. */
    Verification lease;

    Reply(int status, Members members) {
      body = members == null ? new Members() : members;
      code = body.text("code");
      isAnswer = status == 200 && code != null && body.get("valid") instanceof Boolean;
      isRefusal = List.of(400, 403, 409).contains(status) && code != null;
      isValid = isAnswer && (Boolean) body.get("valid");
    }
  }

  /** Asks first what the key is: one for tests, which the app does not take, gets no seat. */
  private Reply askForSeat(String key) {
    if (!options.allowTestKeys) {
      Reply reply = ask("validate", key);
      if (!reply.isValid || Boolean.TRUE.equals(reply.body.get("test"))) return reply;
    }
    return ask("activate", key);
  }

  private Reply ask(String call, String key) {
    String fingerprint = fingerprint();
    if (fingerprint == null) return new Reply(0, null);
    String nonce = call.equals("deactivate") ? null : randomText();
    Members request = new Members().with("product_id", options.productId).with("license_key", key)
        .with("device_fingerprint", fingerprint).with("nonce", nonce)
        .with("device_label", options.deviceLabel).with("app_version", options.appVersion);
    Reply reply = send(URI.create(issuer + "/v1/licenses/" + call), Json.write(request));
    Verification lease = verify(new Members().with("fingerprint", fingerprint), reply.body.text("lease"), nonce, null);
    if (lease.claims != null) reply.lease = lease;
    return reply;
  }

  /** Tries a few times, and no more once the thread is interrupted. */
  private static Reply send(URI uri, String body) {
    HttpClient http = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .proxy(ProxySelector.getDefault())
        .build();
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
          Reply reply = new Reply(response.statusCode(), Json.readObject(response.body()));
          if (reply.isAnswer || reply.isRefusal) return reply;
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
    return new Reply(0, null);
  }

  /** Fails when the reply is longer than one of the service can be. */
  private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final HttpResponse.BodySubscriber<byte[]> body = HttpResponse.BodySubscribers.ofByteArray();
    private Flow.Subscription subscription;
    private int size;

    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) size += buffer.remaining();
      if (size <= LONGEST_REPLY) {
        body.onNext(buffers);
      } else {
        subscription.cancel();
        body.onError(new IOException("The reply is too long."));
      }
    }

    public void onSubscribe(Flow.Subscription started) {
      subscription = started;
      body.onSubscribe(started);
    }

    public void onError(Throwable error) { body.onError(error); }
    public void onComplete() { body.onComplete(); }
    public CompletionStage<byte[]> getBody() { return body.getBody(); }
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
        Files.writeString(temporary, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    }

    /** In a file of its own. */
    public String claimFingerprint(String offered) throws IOException {
      Path file = besides(".fingerprint");
      if (isWhole(file)) return read(file);
      Runnable unlock = lock();
      try {
        // What is empty is left of a device that lost its power.
        if (!isWhole(file)) Files.deleteIfExists(file);
        write(file, offered);
        return read(file);
      } finally {
        unlock.run();
      }
    }

    private static boolean isWhole(Path file) throws IOException {
      String text = Files.exists(file) ? read(file) : "";
      return !text.isEmpty() && text.indexOf(0) < 0;
    }

    /** Nobody needs it for a second: a file that lasts is left of an app that was killed. Where none can be written there is none. */
    public Runnable lock() {
      Path file = besides(".lock");
      try {
        Files.createDirectories(path.getParent());
        for (int look = 0; look < 50 && !isCreated(file); look++) Thread.sleep(20);
      } catch (IOException none) {
        // A disk that takes nothing must not stop an app that is paid for.
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      return () -> file.toFile().delete();
    }

    private Path besides(String ending) {
      return path.resolveSibling(path.getFileName() + ending);
    }

    private static String read(Path file) throws IOException {
      return new String(Files.readAllBytes(file), UTF_8);
    }

    /** Leaves a file that another process has made meanwhile, and none that is not whole. */
    private static void write(Path file, String text) throws IOException {
      if (!isCreated(file)) return;
      try {
        Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
      } catch (IOException notStored) {
        Files.deleteIfExists(file);
        throw notStored;
      }
    }

    /** False where there is one already. */
    private static boolean isCreated(Path file) throws IOException {
      try {
        boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (isPosix) Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        else Files.createFile(file);
        return true;
      } catch (FileAlreadyExistsException exists) {
        return false;
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
    /** Whether a lease of a test key is one, too. */
    public boolean allowTestKeys;
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
    /** "valid", or what is wrong: malformed, alg, typ, header, kid, signature, issuer, product, device, nonce, test, expired or clock. */
    public final String verdict;
    /** Null unless the lease is for this device. */
    public final Members claims;

    private Verification(String verdict, Members claims) {
      this.verdict = verdict;
      this.claims = List.of("valid", "expired", "clock").contains(verdict) ? claims : null;
    }

    private long issuedAt() { return (Long) claims.get("iat"); }
    private long expiresAt() { return (Long) claims.get("exp"); }
    private List<String> features() { return claims.texts("features"); }
  }

  /** Says what is wrong with a lease, the first fault in a fixed order. */
  public static Verification verifyLease(String lease, Expected expected) {
    String[] parts = lease.length() > LONGEST_LEASE ? new String[0] : lease.split("[.]", -1);
    if (parts.length != 3) return new Verification("malformed", null);
    Members header = Json.readObject(fromBase64url(parts[0]));
    Members claims = Json.readObject(fromBase64url(parts[1]));
    byte[] signature = fromBase64url(parts[2]);
    if (header == null || claims == null || signature == null) return new Verification("malformed", null);
    String fault = faultOf(header, parts[0] + "." + parts[1], signature, expected.keys);
    return new Verification(fault == null ? judge(claims, expected) : fault, claims);
  }

  /** What speaks against its signature; null if nothing does. */
  private static String faultOf(Members header, String signed, byte[] signature, List<Map<String, String>> keys) {
    if (!"ES256".equals(header.get("alg"))) return "alg";
    if (!"license-lease+jwt".equals(header.get("typ"))) return "typ";
    // Each of these would let the lease name its own key, or demand rules that are not kept here.
    for (String name : List.of("jwk", "jku", "x5u", "x5c", "crit")) if (header.containsKey(name)) return "header";
    for (Map<String, String> key : keys) {
      if (key.get("kid").equals(header.get("kid"))) return isSignedBy(key, signed, signature) ? null : "signature";
    }
    return "kid";
  }

  private static String judge(Members claims, Expected expected) {
    for (String name : List.of("iss", "sub", "dev")) if (claims.text(name) == null) return "malformed";
    for (String name : List.of("iat", "exp")) if (!(claims.get(name) instanceof Long)) return "malformed";
    if (claims.containsKey("updates_until") && !(claims.get("updates_until") instanceof Long)) return "malformed";
    Object audience = claims.get("aud");
    if (!(audience instanceof String || audience instanceof List)) return "malformed";
    if (claims.texts("features") == null) return "malformed";
    if (!claims.get("iss").equals(expected.issuer)) return "issuer";
    if (!audience.equals(expected.productId)) return "product";
    if (!claims.get("dev").equals(deviceOf(claims.text("sub"), expected.fingerprint))) return "device";
    if (expected.nonce != null && !expected.nonce.equals(claims.get("nonce"))) return "nonce";
    if (Boolean.TRUE.equals(claims.get("test")) && !expected.allowTestKeys) return "test";
    if (expected.now == null) return "valid";
    if (expected.now >= (Long) claims.get("exp")) return "expired";
    return (Long) claims.get("iat") > expected.now + CLOCK_TOLERANCE ? "clock" : "valid";
  }

  private static boolean isSignedBy(Map<String, String> jwk, String signed, byte[] signature) {
    try {
      AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
      curve.init(new ECGenParameterSpec("secp256r1"));
      ECPoint point = new ECPoint(new BigInteger(1, fromBase64url(jwk.get("x"))), new BigInteger(1, fromBase64url(jwk.get("y"))));
      ECPublicKeySpec key = new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class));
      Signature ecdsa = Signature.getInstance("SHA256withECDSAinP1363Format");
      ecdsa.initVerify(KeyFactory.getInstance("EC").generatePublic(key));
      ecdsa.update(signed.getBytes(UTF_8));
      return signature.length == 64 && isPositive(signature, 0) && isPositive(signature, 32) && ecdsa.verify(signature);
    } catch (GeneralSecurityException | RuntimeException noKey) {
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
      return toBase64url(digest.digest((licenseId + '\0' + fingerprint).getBytes(UTF_8)));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /** Null unless it is the one right spelling: no padding, no other alphabet, no bits left over. */
  private static byte[] fromBase64url(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return toBase64url(bytes).equals(text) ? bytes : null;
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  private static String toBase64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String randomText() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return toBase64url(bytes);
  }

  /** An object of JSON: the state, a request, a reply, the header or the claims of a lease. */
  @SuppressWarnings("serial")
  public static final class Members extends LinkedHashMap<String, Object> {
    Members with(String name, Object value) {
      put(name, value);
      return this;
    }

    /** Null if it is no text. */
    String text(String name) {
      return get(name) instanceof String ? (String) get(name) : null;
    }

    long integer(String name, long otherwise) {
      return get(name) instanceof Long ? (Long) get(name) : otherwise;
    }

    /** Null if it is no list of texts alone. */
    List<String> texts(String name) {
      if (!(get(name) instanceof List)) return null;
      List<String> texts = new ArrayList<>();
      for (Object item : (List<?>) get(name)) {
        if (!(item instanceof String)) return null;
        texts.add((String) item);
      }
      return texts;
    }
  }

  /** Strict JSON: no name twice in an object, no half surrogate pairs, at most 64 levels. Integers are Longs. */
  static final class Json {
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern UNSAFE = Pattern.compile("[\"\\\\\\x00-\\x1f]");
    private static final int DEEPEST = 64;
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    /** Null unless it is UTF-8 JSON of an object. */
    static Members readObject(byte[] utf8) {
      if (utf8 == null) return null;
      try {
        Json json = new Json(UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
        json.take("{");
        Members members = json.object(0);
        json.skipSpace();
        return json.at == json.text.length() ? members : null;
      } catch (CharacterCodingException | IllegalArgumentException | IndexOutOfBoundsException malformed) {
        return null;
      }
    }

    private Object value(int depth) {
      if (depth > DEEPEST) throw malformed();
      if (takes("{")) return object(depth);
      if (takes("[")) return array(depth);
      if (takes("\"")) return string();
      if (takes("true")) return true;
      if (takes("false")) return false;
      return takes("null") ? null : number();
    }

    private Members object(int depth) {
      Members members = new Members();
      if (takes("}")) return members;
      do {
        take("\"");
        String name = string();
        take(":");
        if (members.containsKey(name)) throw malformed();
        members.put(name, value(depth + 1));
      } while (takes(","));
      take("}");
      return members;
    }

    private List<Object> array(int depth) {
      List<Object> items = new ArrayList<>();
      if (takes("]")) return items;
      do items.add(value(depth + 1));
      while (takes(","));
      take("]");
      return items;
    }

    /** From behind the first quote. */
    private String string() {
      StringBuilder value = new StringBuilder();
      for (char symbol = text.charAt(at++); symbol != '"'; symbol = text.charAt(at++)) {
        if (symbol < ' ') throw malformed();
        value.append(symbol == '\\' ? escaped() : symbol);
      }
      // Half of a surrogate pair is no text: it could not be written again.
      if (!UTF_8.newEncoder().canEncode(value)) throw malformed();
      return value.toString();
    }

    private char escaped() {
      char symbol = text.charAt(at++);
      if (symbol == 'u') {
        String digits = text.substring(at, at += 4);
        if (!digits.matches("[0-9a-fA-F]{4}")) throw malformed();
        return (char) Integer.parseInt(digits, 16);
      }
      int escape = "\"\\/bfnrt".indexOf(symbol);
      if (escape < 0) throw malformed();
      return "\"\\/\b\f\n\r\t".charAt(escape);
    }

    private Number number() {
      Matcher number = NUMBER.matcher(text).region(at, text.length());
      if (!number.lookingAt()) throw malformed();
      at = number.end();
      boolean isFraction = number.group(1) != null || number.group(2) != null;
      if (isFraction || number.group().length() > 18) return new BigDecimal(number.group());
      return Long.valueOf(number.group());
    }

    private void take(String token) {
      if (!takes(token)) throw malformed();
    }

    private boolean takes(String token) {
      skipSpace();
      boolean isNext = text.startsWith(token, at);
      if (isNext) at += token.length();
      return isNext;
    }

    private void skipSpace() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private static IllegalArgumentException malformed() {
      return new IllegalArgumentException("This is not strict JSON.");
    }

    /** Members that are null are left out. */
    static String write(Object value) {
      if (value instanceof Map) {
        return ((Map<?, ?>) value).entrySet().stream()
            .filter(member -> member.getValue() != null)
            .map(member -> write(member.getKey()) + ":" + write(member.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
      }
      if (value instanceof List) return ((List<?>) value).stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
      if (!(value instanceof String)) return String.valueOf(value);
      Matcher unsafe = UNSAFE.matcher((String) value);
      return '"' + unsafe.replaceAll(found -> String.format("\\\\u%04x", (int) found.group().charAt(0))) + '"';
    }
  }
}
