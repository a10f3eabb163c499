import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;

public class App {
  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws Exception {
    var jwks = LicenseClient.Json.readObject(App.class.getResourceAsStream("/jwks.json").readAllBytes());
    var keys = (List<Map<String, String>>) jwks.get("keys");
    var options = new LicenseClient.Options("https://api.example.com", "prd_01KG9T3W6P9RA5Y8S4C7E1G2JK", keys);
    options.appName = "Photo Studio";
    options.deviceLabel = computerName();
    // options.allowTestKeys = true; // in your own builds alone
    var client = new LicenseClient(options);
    var status = args.length > 0 ? client.activate(args[0]) : client.check();
    System.out.println(status.message);
    System.exit(status.allowed ? 0 : 1);
  }

  /** Null where the network knows no name of it. */
  static String computerName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      return null;
    }
  }
}
