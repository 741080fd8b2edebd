import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.redisson.Redisson;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RBatch;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RBucket;
import org.redisson.api.RBucketAsync;
import org.redisson.api.RList;
import org.redisson.api.RLocalCachedMap;
import org.redisson.api.RLock;
import org.redisson.api.RMap;
import org.redisson.api.RMapAsync;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RSet;
import org.redisson.api.RTopic;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.LocalCachedMapOptions;
import org.redisson.client.codec.Codec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;
import org.redisson.codec.TypedJsonJacksonCodec;
import org.redisson.config.Config;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * What `bench/client/client.ts` is, for Redisson in Java: it knows the task "loop", with threads for flows, and the tasks "call" and
 * "publish", by the asynchronous interface. Tasks come in as lines of JSON, and what was measured goes out the same way. It ends when
 * its input does.
 */
public final class Client {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  public static void main(String[] args) throws Exception {
    System.setOut(System.err); // anything else that is printed is no reply
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          error.printStackTrace();
          Runtime.getRuntime().halt(1); // the threads of Redisson would keep the process alive
        });
    RedissonClient client = open(parse(args[0]));
    OUT.println("{\"event\":\"ready\"}");
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Map<String, Object> message = parse(line);
      Map<String, Object> task = child(message, "facts");
      OUT.println(
          switch ((String) message.get("task")) {
            case "loop" -> loop(client, task);
            case "call" -> call(client, task);
            case "publish" -> publish(client, task);
            default -> throw new IllegalArgumentException("Expected a task that is known here, got " + message);
          });
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
    Section section = sectionOf(client, task);
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
                  section.enter().run();
                  waits.add(millis(System.nanoTime() - askedAt));
                  if (counts) {
                    String seen = counter.get();
                    counter.set(String.valueOf(seen == null ? 1 : Long.parseLong(seen) + 1));
                  }
                  section.leave().run();
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
    return done(waits.size(), startedAt, endedAt, cpuNanos() - cpu, 0, waits);
  }

  /** Calls the same again and again, as the task of the same name in `bench/client/tasks/call.ts` does. */
  private static String call(RedissonClient client, Map<String, Object> task) throws Exception {
    Plan plan = planOf(client, (String) task.get("plan"));
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    long cpu = cpuNanos();
    long startedAt = System.nanoTime();
    repeat(
        task,
        () ->
            plan.call()
                .apply(calls.getAndIncrement())
                .thenAccept(
                    right -> {
                      if (!right) {
                        wrong.incrementAndGet();
                      }
                    }));
    long endedAt = System.nanoTime();
    long cpuTime = cpuNanos() - cpu;
    long missing = plan.missing().applyAsLong(calls.get());
    return done(calls.get(), startedAt, endedAt, cpuTime, wrong.get() + missing, List.of());
  }

  /** Publishes to a listener of its own, as the task of the same name in `bench/client/tasks/publish.ts` does. */
  private static String publish(RedissonClient client, Map<String, Object> task) throws Exception {
    RTopic topic = client.getTopic("bench:topic", VALUES);
    Map<Long, Runnable> expected = new ConcurrentHashMap<>();
    Queue<Double> waits = new ConcurrentLinkedQueue<>();
    AtomicInteger wrong = new AtomicInteger();
    int listener =
        topic.addListener(
            Item.class,
            (channel, item) -> {
              Runnable arrive = expected.remove(item.id);
              if (arrive == null) {
                wrong.incrementAndGet();
              } else {
                arrive.run();
              }
            });
    AtomicLong messages = new AtomicLong();
    long cpu = cpuNanos();
    long startedAt = System.nanoTime();
    repeat(
        Map.of("callers", task.get("publishers"), "forMs", task.get("forMs")),
        () -> {
          long id = messages.getAndIncrement();
          CompletableFuture<Void> arrived = new CompletableFuture<>();
          long publishedAt = System.nanoTime();
          expected.put(
              id,
              () -> {
                waits.add(millis(System.nanoTime() - publishedAt));
                arrived.complete(null);
              });
          return topic.publishAsync(Item.of(id)).thenCombine(arrived, (receivers, nothing) -> null);
        });
    long endedAt = System.nanoTime();
    long cpuTime = cpuNanos() - cpu;
    topic.removeListener(listener);
    return done(waits.size(), startedAt, endedAt, cpuTime, wrong.get(), waits);
  }

  /** Runs this number of callers for this time, each again when its call is over. */
  private static void repeat(Map<String, Object> task, Supplier<CompletionStage<?>> call) throws Exception {
    long endsAt = System.nanoTime() + number(task, "forMs") * 1_000_000;
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    for (long caller = 0; caller < number(task, "callers"); caller++) {
      CompletableFuture<Void> over = new CompletableFuture<>();
      callers.add(over);
      again(call, endsAt, over);
    }
    for (CompletableFuture<Void> over : callers) {
      over.get();
    }
  }

  /** What completes at once, as from memory, is no call inside the one before. */
  private static void again(Supplier<CompletionStage<?>> call, long endsAt, CompletableFuture<Void> over) {
    while (System.nanoTime() < endsAt) {
      CompletableFuture<?> each = call.get().toCompletableFuture();
      if (!each.isDone()) {
        each.whenComplete(
            (result, error) -> {
              if (error == null) {
                again(call, endsAt, over);
              } else {
                over.completeExceptionally(error);
              }
            });
        return;
      }
      each.join(); // throws what it has failed with
    }
    over.complete(null);
  }

  /** What is called, resolving with whether its result is right; and how many of all calls had no effect. */
  private record Plan(IntFunction<CompletionStage<Boolean>> call, IntToLongFunction missing) {}

  /** The same plans as those in `bench/client/tasks/plans.ts`. */
  private static Plan planOf(RedissonClient client, String name) {
    IntFunction<RBucket<Item>> bucket = n -> client.getBucket("bench:bucket:" + n % NAMES, VALUES);
    RMap<String, Item> map = client.getMap("bench:map", ENTRIES);
    RList<Item> list = client.getList("bench:list", VALUES);
    RList<Item> longList = client.getList("bench:long-list", VALUES);
    RSet<Item> set = client.getSet("bench:set", VALUES);
    RScoredSortedSet<String> sortedSet = client.getScoredSortedSet("bench:sorted-set", TEXTS);
    RAtomicLong counter = client.getAtomicLong("bench:number");
    RBloomFilter<String> filter = client.getBloomFilter("bench:bloom-filter", TEXTS);
    switch (name) {
      case "bucket.set":
        return new Plan(
            n -> bucket.apply(n).setAsync(Item.ONE).thenApply(nothing -> true),
            calls -> missing(calls, n -> bucket.apply(n).get()));
      case "bucket.get":
        for (int n = 0; n < NAMES; n++) {
          bucket.apply(n).set(Item.ONE);
        }
        return new Plan(n -> bucket.apply(n).getAsync().thenApply(Client::isRight), NONE_MISSING);
      case "bucket.batch":
        return new Plan(
            call ->
                inBatch(
                    client,
                    NAMES,
                    (batch, n) -> {
                      RBucketAsync<Item> each = batch.getBucket("bench:bucket:" + n, VALUES);
                      each.setAsync(Item.ONE);
                      each.getAsync();
                    },
                    Client::areRight),
            NONE_MISSING);
      case "counter.increment":
        long before = counter.incrementAndGet();
        return new Plan(
            call -> counter.incrementAndGetAsync().thenApply(count -> true),
            calls -> before + calls + 1 - counter.incrementAndGet());
      case "counter.batch":
        long beforeAll = counter.incrementAndGet();
        return new Plan(
            call ->
                inBatch(
                    client,
                    BATCH,
                    (batch, n) -> batch.getAtomicLong("bench:number").incrementAndGetAsync(),
                    replies -> replies.size() == BATCH),
            calls -> beforeAll + (long) calls * BATCH + 1 - counter.incrementAndGet());
      case "map.fastPut":
        return new Plan(
            n -> map.fastPutAsync("key:" + n % NAMES, Item.ONE).thenApply(isNew -> true),
            calls -> missing(calls, n -> map.get("key:" + n % NAMES)));
      case "map.put":
        fill(map);
        return new Plan(n -> map.putAsync("key:" + n % NAMES, Item.ONE).thenApply(Client::isRight), NONE_MISSING);
      case "map.get":
        fill(map);
        return new Plan(n -> map.getAsync("key:" + n % NAMES).thenApply(Client::isRight), NONE_MISSING);
      case "set.add":
        return new Plan(
            n -> set.addAsync(Item.of(n % NAMES)).thenApply(isNew -> true),
            calls -> IntStream.range(0, Math.min(calls, NAMES)).filter(n -> !set.contains(Item.of(n % NAMES))).count());
      case "set.contains":
        for (int n = 0; n < NAMES; n++) {
          set.add(Item.of(n % NAMES));
        }
        return new Plan(n -> set.containsAsync(Item.of(n % NAMES)), NONE_MISSING);
      case "set.remove":
        return new Plan(n -> set.removeAsync(Item.of(n % NAMES)).thenApply(wasThere -> true), NONE_MISSING);
      case "map.getAll":
        RMap<String, Item> largeMap = client.getMap("bench:large-map", ENTRIES);
        Set<String> manyKeys = IntStream.range(0, MANY_VALUES).mapToObj(n -> "key:" + n).collect(Collectors.toSet());
        largeMap.putAll(manyKeys.stream().collect(Collectors.toMap(key -> key, key -> Item.ONE)));
        return new Plan(
            call -> largeMap.getAllAsync(manyKeys).thenApply(found -> found.size() == MANY_VALUES && isRight(found.get("key:0"))),
            NONE_MISSING);
      case "bloom-filter.addAll":
        filter.tryInit(1_000_000, 0.01);
        return new Plan(
            n -> filter.addAsync(idsOf(n)).thenApply(added -> added <= BATCH),
            calls -> IntStream.range(0, Math.min(calls, 100)).filter(n -> filter.contains(idsOf(n)) != BATCH).count());
      case "bloom-filter.countContained":
        filter.tryInit(1_000_000, 0.01);
        for (int n = 0; n < 100; n++) {
          filter.add(idsOf(n));
        }
        return new Plan(n -> filter.containsAsync(idsOf(n)).thenApply(found -> found == BATCH), NONE_MISSING);
      case "map.batch":
        return new Plan(
            call ->
                inBatch(
                    client,
                    NAMES,
                    (batch, n) -> {
                      RMapAsync<String, Item> each =
                          batch.getMap("bench:map", ENTRIES);
                      each.fastPutAsync("key:" + n, Item.ONE);
                      each.getAsync("key:" + n);
                    },
                    Client::areRight),
            NONE_MISSING);
      case "list.add":
        int size = longList.size();
        return new Plan(
            n -> longList.addAsync(Item.ONE).thenApply(added -> added),
            calls -> (long) size + calls - longList.size());
      case "list.get":
        fill(list);
        return new Plan(n -> list.getAsync(n % NAMES).thenApply(Client::isRight), NONE_MISSING);
      case "list.set":
        fill(list);
        return new Plan(n -> list.setAsync(n % NAMES, Item.ONE).thenApply(Client::isRight), NONE_MISSING);
      case "sorted-set.add":
        return new Plan(
            n -> sortedSet.addAsync(n % NAMES, "key:" + n % NAMES).thenApply(isNew -> true),
            calls -> IntStream.range(0, Math.min(calls, NAMES)).filter(n -> sortedSet.rank("key:" + n) == null).count());
      case "sorted-set.addScore":
        double sum = sortedSet.addScore("counted", 1);
        return new Plan(
            call -> sortedSet.addScoreAsync("counted", 1).thenApply(after -> true),
            calls -> (long) sum + calls + 1 - sortedSet.addScore("counted", 1).longValue());
      case "sorted-set.rank":
        for (int n = 0; n < NAMES; n++) {
          sortedSet.add(n, "key:" + n);
        }
        return new Plan(n -> sortedSet.rankAsync("key:" + n % NAMES).thenApply(rank -> rank != null), NONE_MISSING);
      case "cache.hit":
        return cached(client, "large", 2_000);
      case "cache.miss":
        return cached(client, "tiny", 1);
      default:
        throw new IllegalArgumentException("Expected a plan that is known here, got " + name);
    }
  }

  private static final int BATCH = 1_000;
  private static final int NAMES = BATCH / 2;
  private static final int MANY_VALUES = 10_000;
  private static final IntToLongFunction NONE_MISSING = calls -> 0;
  private static final Codec TEXTS = new TypedJsonJacksonCodec(String.class);
  private static final Codec VALUES = new TypedJsonJacksonCodec(Item.class);
  private static final Codec ENTRIES =
      new CompositeCodec(StringCodec.INSTANCE, new TypedJsonJacksonCodec(String.class, Item.class));

  /** The ids of a call, made before it is measured. */
  private static List<String> idsOf(int n) {
    return IDS.get(n % IDS.size());
  }

  private static final List<List<String>> IDS =
      IntStream.range(0, 100)
          .mapToObj(call -> IntStream.range(0, BATCH).mapToObj(index -> "id:" + call + ":" + index).collect(Collectors.toList()))
          .collect(Collectors.toList());

  private static CompletionStage<Boolean> inBatch(
      RedissonClient client, int times, ObjIntConsumer<RBatch> each, Function<List<?>, Boolean> isRight) {
    RBatch batch = client.createBatch();
    for (int n = 0; n < times; n++) {
      each.accept(batch, n);
    }
    return batch.executeAsync().thenApply(result -> isRight.apply(result.getResponses()));
  }

  /** Reads a map of which all is in memory, or next to none of it. */
  private static Plan cached(RedissonClient client, String name, int inMemory) {
    RLocalCachedMap<String, Item> map =
        client.getLocalCachedMap(
            LocalCachedMapOptions.<String, Item>name("bench:cache:java:" + name)
                .codec(ENTRIES)
                .evictionPolicy(LocalCachedMapOptions.EvictionPolicy.LRU)
                .cacheSize(inMemory));
    for (int n = 0; n < BATCH; n++) {
      map.fastPut("key:" + n, Item.ONE);
    }
    return new Plan(n -> map.getAsync("key:" + n % BATCH).thenApply(Client::isRight), NONE_MISSING);
  }

  private static void fill(RMap<String, Item> map) {
    for (int n = 0; n < NAMES; n++) {
      map.fastPut("key:" + n, Item.ONE);
    }
  }

  private static void fill(RList<Item> list) {
    for (int size = list.size(); size < NAMES; size++) {
      list.add(Item.ONE);
    }
  }

  /** How many of the values that this number of calls has written cannot be read. */
  private static long missing(int calls, IntFunction<Item> read) {
    return IntStream.range(0, Math.min(calls, NAMES)).filter(n -> !isRight(read.apply(n))).count();
  }

  private static boolean isRight(Item item) {
    return item != null
        && item.id == Item.ONE.id
        && item.tags.size() == Item.ONE.tags.size()
        && item.price == Item.ONE.price;
  }

  /** Every second reply is that of a read. */
  private static boolean areRight(List<?> replies) {
    return replies.size() == BATCH
        && IntStream.range(0, NAMES).allMatch(n -> isRight((Item) replies.get(2 * n + 1)));
  }

  /** A value as programs keep it, as in `bench/contenders/values.ts`. */
  public static final class Item {
    static final Item ONE = of(4711);

    public long id;
    public String name;
    public List<String> tags;
    public double price;
    public boolean open;

    static Item of(long id) {
      Item item = new Item();
      item.id = id;
      item.name = "garden hose";
      item.tags = List.of("tools", "garden");
      item.price = 19.95;
      item.open = true;
      return item;
    }
  }

  private static String done(
      long sections, long startedAt, long endedAt, long cpu, long wrong, Collection<Double> waitsMs) {
    return String.format(
        "{\"event\":\"done\",\"sections\":%d,\"startedAtMs\":%s,\"endedAtMs\":%s,\"cpuMs\":%s,\"tooMany\":0,\"wrong\":%d,\"waitsMs\":[%s]}",
        sections,
        millis(startedAt),
        millis(endedAt),
        millis(cpu),
        wrong,
        waitsMs.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /** What a section takes, and how it is given back. */
  private record Section(Runnable enter, Runnable leave) {}

  private static Section sectionOf(RedissonClient client, Map<String, Object> task) {
    String name = (String) task.get("name");
    switch ((String) task.get("kind")) {
      case "lock":
        RLock lock = client.getLock(name);
        return new Section(lock::lock, lock::unlock);
      case "rate-grant":
        return callOf(limiter(client, name, 1_000_000, Duration.ofSeconds(1)));
      case "rate-refusal":
        return callOf(limiter(client, name, 1, Duration.ofHours(1)));
      default:
        throw new IllegalArgumentException("Expected a kind that is measured here, got " + task.get("kind"));
    }
  }

  private static RRateLimiter limiter(RedissonClient client, String name, long rate, Duration interval) {
    RRateLimiter limiter = client.getRateLimiter(name);
    limiter.trySetRate(RateType.OVERALL, rate, interval);
    return limiter;
  }

  /** A call of a rate limiter: there is nothing to give back. */
  private static Section callOf(RRateLimiter limiter) {
    return new Section(limiter::tryAcquire, () -> {});
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
