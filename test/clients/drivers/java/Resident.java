import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Answers calls of Main beside each other. Each has classes of its own, and knows of the others as little as a process does. */
final class Resident {
  public static void main(String[] folder) throws IOException {
    URL classes = Path.of(folder[0]).toUri().toURL();
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = calls.readLine(); line != null; line = calls.readLine()) {
      Map<String, Object> call = LicenseClient.Json.readObject(line.getBytes(UTF_8));
      new Thread(() -> out.println(LicenseClient.Json.write(answer(classes, call)))).start();
    }
  }

  private static Map<String, Object> answer(URL classes, Map<String, Object> call) {
    try (URLClassLoader own = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Method method = own.loadClass("Main").getDeclaredMethod("answer", List.class, Map.class);
      method.setAccessible(true);
      return Map.of("id", call.get("id"), "printed", method.invoke(null, call.get("arguments"), call.get("env")));
    } catch (ReflectiveOperationException | IOException | Error failure) {
      String reason = String.valueOf(failure.getCause() == null ? failure : failure.getCause());
      return Map.of("id", call.get("id"), "failure", reason);
    }
  }
}
