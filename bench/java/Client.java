import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.redisson.Redisson;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * What `bench/client/client.ts` is, for Redisson in Java: it knows the task "loop", with threads for flows. Tasks come in as
 * lines of JSON, and what was measured goes out the same way. It ends when its input does.
 */
public final class Client {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  public static void main(String[] args) throws Exception {
    System.setOut(System.err); // whatever else is printed is no answer
    RedissonClient client = open(parse(args[0]));
    OUT.println("{\"event\":\"ready\"}");
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      OUT.println(loop(client, child(parse(line), "facts")));
    }
    Runtime.getRuntime().halt(0);
  }

  private static RedissonClient open(Map<String, Object> settings) {
    Map<String, Object> server = ((List<Map<String, Object>>) settings.get("servers")).get(0);
    Config config = new Config();
    config.setLockWatchdogTimeout(number(settings, "leaseMs"));
    config.useSingleServer().setAddress("redis://" + server.get("host") + ":" + server.get("port"));
    return Redisson.create(config);
  }

  /** Goes in and out, as the task of the same name in `bench/client/tasks/loop.ts` does. */
  private static String loop(RedissonClient client, Map<String, Object> task) throws Exception {
    RLock lock = client.getLock((String) task.get("name"));
    RBucket<String> counter = client.getBucket("bench:counter", StringCodec.INSTANCE);
    boolean counts = "count".equals(task.get("inside"));
    int flows = (int) number(task, "flows");
    long sections = number(task, "sections");
    long endsAt = System.nanoTime() + number(task, "limitMs") * 1_000_000;
    AtomicInteger begun = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(flows);
    long cpu = cpuNanos();
    long startedAt = System.nanoTime();
    List<Future<List<Double>>> running = new ArrayList<>();
    for (int flow = 0; flow < flows; flow++) {
      running.add(
          threads.submit(
              () -> {
                List<Double> waits = new ArrayList<>();
                while (System.nanoTime() < endsAt && begun.getAndIncrement() < sections) {
                  long askedAt = System.nanoTime();
                  lock.lock();
                  waits.add(millis(System.nanoTime() - askedAt));
                  if (counts) {
                    String seen = counter.get();
                    counter.set(String.valueOf(seen == null ? 1 : Long.parseLong(seen) + 1));
                  }
                  lock.unlock();
                }
                return waits;
              }));
    }
    List<Double> waits = new ArrayList<>();
    for (Future<List<Double>> flow : running) {
      waits.addAll(flow.get());
    }
    long endedAt = System.nanoTime();
    threads.shutdown();
    return String.format(
        "{\"event\":\"done\",\"sections\":%d,\"startedAtMs\":%s,\"endedAtMs\":%s,\"cpuMs\":%s,\"tooMany\":0,\"waitsMs\":[%s]}",
        waits.size(),
        millis(startedAt),
        millis(endedAt),
        millis(cpuNanos() - cpu),
        waits.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private static long number(Map<String, Object> from, String key) {
    return ((Number) from.get(key)).longValue();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> child(Map<String, Object> from, String key) {
    return (Map<String, Object>) from.get(key);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> parse(String line) {
    return (Map<String, Object>) new Yaml(new SafeConstructor(new LoaderOptions())).load(line); // JSON is YAML as well
  }
}
