import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.redisson.Redisson;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RLocalCachedMap;
import org.redisson.api.RMap;
import org.redisson.api.RMapCache;
import org.redisson.api.RPatternTopic;
import org.redisson.api.RReliableTopic;
import org.redisson.api.RSetCache;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.geo.GeoEntry;
import org.redisson.api.geo.GeoOrder;
import org.redisson.api.geo.GeoPosition;
import org.redisson.api.geo.GeoSearchArgs;
import org.redisson.api.geo.GeoUnit;
import org.redisson.api.geo.OptionalGeoSearch;
import org.redisson.api.geo.ShapeGeoSearch;
import org.redisson.api.listener.SetExpiredListener;
import org.redisson.api.map.event.EntryCreatedListener;
import org.redisson.api.map.event.EntryEvent;
import org.redisson.api.map.event.EntryExpiredListener;
import org.redisson.api.map.event.EntryRemovedListener;
import org.redisson.api.map.event.EntryUpdatedListener;
import org.redisson.api.options.LocalCachedMapOptions;
import org.redisson.api.queue.DequeMoveArgs;
import org.redisson.api.queue.DequeMoveDestination;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.client.codec.Codec;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.ScoredEntry;
import org.redisson.codec.CompositeCodec;
import org.redisson.codec.TypedJsonJacksonCodec;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.MasterSlaveServersConfig;
import org.redisson.config.NameMapper;
import org.redisson.config.ReplicatedServersConfig;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Uses Redisson as a test says. Requests come in as lines of JSON and answers go out the same way, each under the id of its
 * request. It ends when its input does.
 *
 * Every request names a client, and a thread of that client to run on: threads own locks, and one that waits stops no other.
 */
public final class Peer {
  private static final Object UNFIT = new Object();
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private static final Map<String, RedissonClient> CLIENTS = new ConcurrentHashMap<>();
  private static final Map<String, RLocalCachedMap<Object, Object>> LOCAL_CACHED_MAPS = new ConcurrentHashMap<>();
  private static final Map<String, ExecutorService> EXECUTORS = new ConcurrentHashMap<>();
  private static final Map<String, Thread> THREADS = new ConcurrentHashMap<>();
  /** What listeners have heard, by the name that the test has given them. */
  private static final Map<String, List<Object>> HEARD = new ConcurrentHashMap<>();

  public static void main(String[] args) throws Exception {
    System.setOut(System.err); // anything else that is printed is no reply
    tell("ready", Map.of());
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Map<String, Object> request = parse(line);
      String thread = request.get("client") + " " + request.get("thread");
      if (request.get("event").equals("asleep")) {
        tell(String.valueOf(request.get("id")), Map.of("answer", isAsleep(THREADS.get(thread))));
      } else {
        EXECUTORS.computeIfAbsent(thread, Peer::startThread).execute(() -> answer(request));
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static ExecutorService startThread(String name) {
    return Executors.newSingleThreadExecutor(
        work -> {
          Thread thread = new Thread(work, name);
          THREADS.put(name, thread);
          return thread;
        });
  }

  /** Whether a thread sleeps until a message wakes it, and does not just wait for an answer. */
  private static boolean isAsleep(Thread thread) {
    return thread != null
        && Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getClassName().equals(Semaphore.class.getName()))
        && (thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
  }

  private static void answer(Map<String, Object> request) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("threadId", Thread.currentThread().getId());
    try {
      facts.put("answer", act(request));
    } catch (Throwable error) {
      Throwable cause = error instanceof InvocationTargetException ? error.getCause() : error;
      facts.put("error", Map.of("type", cause.getClass().getSimpleName(), "message", messageOf(cause)));
    }
    tell(String.valueOf(request.get("id")), facts);
  }

  private static String messageOf(Throwable error) {
    return error.getCause() == null ? error.toString() : error + " because of " + messageOf(error.getCause());
  }

  private static Object act(Map<String, Object> request) throws Exception {
    String client = (String) request.get("client");
    switch ((String) request.get("event")) {
      case "open":
        Config config = Config.fromYAML((String) request.get("config"));
        config.setNameMapper(prefixing((String) request.get("prefix")));
        if (request.get("plainJson").equals(true)) {
          config.setCodec(plainJson());
        }
        CLIENTS.put(client, Redisson.create(config));
        return CLIENTS.get(client).getId();
      case "print":
        return Config.fromYAML((String) request.get("config")).toYAML();
      case "settings":
        return settings();
      case "interfaces":
        return interfaces();
      case "call":
        return follow(CLIENTS.get(client), calls(request.get("calls")));
      case "count":
        count(request);
        return null;
      case "listen":
        listen(request);
        return null;
      case "heard":
        return HEARD.get((String) request.get("listener"));
      case "compute":
        compute(request);
        return null;
      default:
        throw new IllegalArgumentException("Expected a known request, got " + request);
    }
  }

  /** The names of the settings that each section of a file may have, in Java; those of the client under no name. */
  private static Map<String, Set<String>> settings() {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    names.put("", settersOf(Config.class));
    names.put("singleServerConfig", settersOf(SingleServerConfig.class));
    names.put("masterSlaveServersConfig", settersOf(MasterSlaveServersConfig.class));
    names.put("sentinelServersConfig", settersOf(SentinelServersConfig.class));
    names.put("replicatedServersConfig", settersOf(ReplicatedServersConfig.class));
    names.put("clusterServersConfig", settersOf(ClusterServersConfig.class));
    return names;
  }

  private static Set<String> settersOf(Class<?> type) {
    Set<String> names = new LinkedHashSet<>();
    for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        String name = method.getName();
        if (name.startsWith("set") && method.getParameterCount() == 1) {
          names.add(Character.toLowerCase(name.charAt(3)) + name.substring(4));
        }
      }
    }
    return names;
  }

  /** The interfaces of the client and of what it hands out: the methods of each, and the interfaces that it extends. */
  private static Map<String, Map<String, Set<String>>> interfaces() {
    Map<String, Map<String, Set<String>>> found = new LinkedHashMap<>();
    found.put(RedissonClient.class.getSimpleName(), parts(RedissonClient.class));
    for (Method method : RedissonClient.class.getMethods()) {
      if (method.getReturnType().isInterface()) {
        found.computeIfAbsent(method.getReturnType().getSimpleName(), name -> parts(method.getReturnType()));
      }
    }
    return found;
  }

  private static Map<String, Set<String>> parts(Class<?> type) {
    Set<String> parents = new LinkedHashSet<>();
    addParents(type, parents);
    return Map.of("methods", methodsOf(type), "parents", parents);
  }

  private static void addParents(Class<?> type, Set<String> parents) {
    for (Class<?> parent : type.getInterfaces()) {
      parents.add(parent.getSimpleName());
      addParents(parent, parents);
    }
  }

  /** Without those that are deprecated, or double others, or that every object has. */
  private static Set<String> methodsOf(Class<?> type) {
    Set<String> ofAll = Arrays.stream(Object.class.getMethods()).map(Method::getName).collect(Collectors.toSet());
    return Arrays.stream(type.getMethods())
        .filter(method -> !method.isAnnotationPresent(Deprecated.class))
        .map(Method::getName)
        .filter(name -> !name.endsWith("Async") && !ofAll.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Texts as keys of maps and JSON without marks as values, which is what Node has by itself. */
  private static Codec plainJson() {
    Codec json = new TypedJsonJacksonCodec(Object.class);
    return new CompositeCodec(StringCodec.INSTANCE, json, json);
  }

  /** Notes what a topic hears, each message with its channel, and for a pattern with that before both; of a map cache what happens to entries, and of a set cache which values expire. */
  @SuppressWarnings("unchecked")
  private static void listen(Map<String, Object> request) throws Exception {
    List<Object> heard = new CopyOnWriteArrayList<>();
    HEARD.put((String) request.get("listener"), heard);
    Object topic = follow(CLIENTS.get((String) request.get("client")), calls(request.get("calls")));
    if (topic instanceof RMapCache) {
      listenToEntries((RMapCache<Object, Object>) topic, heard);
    } else if (topic instanceof RSetCache) {
      ((RSetCache<Object>) topic).addListener((SetExpiredListener<Object>) heard::add);
    } else if (topic instanceof RPatternTopic) {
      ((RPatternTopic) topic)
          .addListener(
              Object.class,
              (pattern, channel, message) ->
                  heard.add(Arrays.asList(String.valueOf(pattern), String.valueOf(channel), message)));
    } else if (topic instanceof RReliableTopic) {
      ((RReliableTopic) topic)
          .addListener(
              Object.class, (channel, message) -> heard.add(Arrays.asList(String.valueOf(channel), message)));
    } else {
      ((RTopic) topic)
          .addListener(
              Object.class, (channel, message) -> heard.add(Arrays.asList(String.valueOf(channel), message)));
    }
  }

  private static void listenToEntries(RMapCache<Object, Object> cache, List<Object> heard) {
    cache.addListener((EntryCreatedListener<Object, Object>) event -> heard.add(partsOf(event)));
    cache.addListener((EntryUpdatedListener<Object, Object>) event -> heard.add(partsOf(event)));
    cache.addListener((EntryRemovedListener<Object, Object>) event -> heard.add(partsOf(event)));
    cache.addListener((EntryExpiredListener<Object, Object>) event -> heard.add(partsOf(event)));
  }

  private static List<Object> partsOf(EntryEvent<Object, Object> event) {
    return Arrays.asList(event.getType().name(), event.getKey(), event.getValue(), event.getOldValue());
  }

  /** Adds 1 to the number of an entry, a number of times, each of them by the method that the request names. */
  @SuppressWarnings("unchecked")
  private static void compute(Map<String, Object> request) throws Exception {
    RMap<Object, Object> map =
        (RMap<Object, Object>) follow(CLIENTS.get((String) request.get("client")), calls(request.get("calls")));
    Object key = request.get("key");
    for (int n = 0; n < (Integer) request.get("times"); n++) {
      if (request.get("by").equals("merge")) {
        map.merge(key, 1, (before, one) -> ((Number) before).intValue() + (Integer) one);
      } else {
        map.compute(key, (same, before) -> before == null ? 1 : ((Number) before).intValue() + 1);
      }
    }
  }

  private static NameMapper prefixing(String prefix) {
    return new NameMapper() {
      @Override
      public String map(String name) {
        return prefix + name;
      }

      @Override
      public String unmap(String name) {
        return name.substring(prefix.length());
      }
    };
  }

  /** Calls a method of the client, then a method of what that answers, and so on. */
  private static Object follow(RedissonClient client, List<List<Object>> calls) throws Exception {
    if (!calls.isEmpty() && calls.get(0).get(0).equals("getDelayedQueue")) {
      return followDelayed(client, calls);
    }
    if (!calls.isEmpty() && calls.get(0).get(0).equals("getLocalCachedMap")) {
      return follow((Object) localCachedMap(client, calls.get(0)), calls.subList(1, calls.size()));
    }
    return follow((Object) client, calls);
  }

  /** The local cached map of a name, which is the same each time, as is what it keeps. */
  private static RLocalCachedMap<Object, Object> localCachedMap(RedissonClient client, List<Object> getter) {
    String name = (String) getter.get(1);
    return LOCAL_CACHED_MAPS.computeIfAbsent(client.getId() + name, id -> client.getLocalCachedMap(
        LocalCachedMapOptions.<Object, Object>name(name)
            .syncStrategy(LocalCachedMapOptions.SyncStrategy.valueOf((String) getter.get(2)))
            .reconnectionStrategy(LocalCachedMapOptions.ReconnectionStrategy.valueOf((String) getter.get(3)))));
  }

  /** The same for a delayed queue, by the name of its destination. It is destroyed then, unless its call has one more argument. */
  private static Object followDelayed(RedissonClient client, List<List<Object>> calls) throws Exception {
    List<Object> getter = calls.get(0);
    RDelayedQueue<Object> delayed = client.getDelayedQueue(client.getQueue((String) getter.get(1)));
    try {
      return follow((Object) delayed, calls.subList(1, calls.size()));
    } finally {
      if (getter.size() == 2) {
        delayed.destroy();
      }
    }
  }

  private static Object follow(Object first, List<List<Object>> calls) throws Exception {
    Object target = first;
    for (List<Object> call : calls) {
      List<Object> args = call.subList(1, call.size());
      Method method = find(target.getClass(), (String) call.get(0), args);
      method.setAccessible(true); // that of a stream belongs to a class that is not public
      target = method.invoke(target, fit(method, args));
    }
    return target instanceof Iterator ? allOf((Iterator<?>) target) : target;
  }

  private static List<Object> allOf(Iterator<?> iterator) {
    List<Object> all = new ArrayList<>();
    iterator.forEachRemaining(all::add);
    return all;
  }

  /**
   * Adds to a number by reading and writing it, which comes to less if another does so at the same time; and counts who is
   * inside, which must not be more than the limit.
   */
  private static void count(Map<String, Object> request) throws Exception {
    RedissonClient client = CLIENTS.get((String) request.get("client"));
    RedissonClient counters = CLIENTS.get((String) request.get("counters"));
    RAtomicLong count = counters.getAtomicLong("count");
    RAtomicLong inside = counters.getAtomicLong("inside");
    for (int n = 0; n < (Integer) request.get("times"); n++) {
      Object taken = follow(client, calls(request.get("take")));
      if (inside.incrementAndGet() > (Integer) request.get("limit")) {
        throw new IllegalStateException("Expected at most " + request.get("limit") + " inside, got one more");
      }
      long seen = count.get();
      Thread.yield();
      count.set(seen + 1);
      inside.decrementAndGet();
      List<List<Object>> give = calls(request.get("give"));
      if (taken instanceof String) {
        give.get(give.size() - 1).add(taken); // the id of a permit
      }
      follow(client, give);
    }
  }

  /** A list is taken for several values where a method wants them, and otherwise for one. */
  private static Method find(Class<?> type, String name, List<Object> args) throws NoSuchMethodException {
    return Arrays.stream(type.getMethods())
        .filter(
            method ->
                method.getName().equals(name)
                    && method.getParameterCount() == args.size()
                    && !Arrays.asList(fit(method, args)).contains(UNFIT))
        .min(Comparator.comparing(method -> Arrays.asList(method.getParameterTypes()).indexOf(Collection.class) < 0))
        .orElseThrow(() -> new NoSuchMethodException(type.getSimpleName() + "." + name + args));
  }

  private static Object[] fit(Method method, List<Object> args) {
    Object[] fitted = new Object[args.size()];
    for (int n = 0; n < fitted.length; n++) {
      fitted[n] = fit(method.getParameterTypes()[n], args.get(n));
    }
    return fitted;
  }

  private static Object fit(Class<?> type, Object value) {
    if (value == null) {
      return type.isPrimitive() ? UNFIT : null;
    }
    if (value instanceof String && type == byte[].class) {
      return Base64.getDecoder().decode((String) value);
    }
    if (value instanceof String && type == ByteBuffer.class) {
      return ByteBuffer.wrap(Base64.getDecoder().decode((String) value));
    }
    if (value instanceof List && type == String[].class) {
      return ((List<?>) value).toArray(new String[0]);
    }
    if (value instanceof List && type == Object[].class) {
      return ((List<?>) value).toArray();
    }
    if (value instanceof List && type == Set.class) {
      return new LinkedHashSet<>((List<?>) value);
    }
    if (value instanceof List && type == GeoEntry[].class) {
      return ((List<?>) value).stream().map(entry -> geoEntry((List<?>) entry)).toArray(GeoEntry[]::new);
    }
    if (value instanceof Map && type == GeoSearchArgs.class) {
      return geoSearch((Map<?, ?>) value);
    }
    if (value instanceof String && type == StreamMessageId.class) {
      return streamId((String) value);
    }
    if (value instanceof List && type == StreamMessageId[].class) {
      return ((List<?>) value).stream().map(id -> streamId((String) id)).toArray(StreamMessageId[]::new);
    }
    if (value instanceof List && type == StreamAddArgs.class) {
      return fields((List<?>) value);
    }
    if (value instanceof Integer && type == StreamReadGroupArgs.class) {
      return StreamReadGroupArgs.neverDelivered().count((Integer) value);
    }
    if (value instanceof String && type == StreamCreateGroupArgs.class) {
      return StreamCreateGroupArgs.name((String) value).id(StreamMessageId.ALL).makeStream();
    }
    if (value instanceof Map && type == DequeMoveArgs.class) {
      return dequeMove((Map<?, ?>) value);
    }
    if (value instanceof List && type == long[].class) {
      return ((List<?>) value).stream().mapToLong(each -> ((Number) each).longValue()).toArray();
    }
    if (value instanceof List && type == BitSet.class) {
      BitSet bits = new BitSet();
      ((List<?>) value).forEach(index -> bits.set((Integer) index));
      return bits;
    }
    if (value instanceof Number && type == long.class) {
      return ((Number) value).longValue();
    }
    if (value instanceof Integer && type == short.class) {
      return ((Number) value).shortValue();
    }
    if (value instanceof Integer && type == byte.class) {
      return ((Number) value).byteValue();
    }
    if (value instanceof Number && type == double.class) {
      return ((Number) value).doubleValue();
    }
    if (value instanceof Boolean && type == boolean.class) {
      return value;
    }
    if (value instanceof Integer && type == int.class) {
      return value;
    }
    if (value instanceof String && type.isEnum()) {
      return Arrays.stream((Object[]) type.getEnumConstants())
          .filter(constant -> constant.toString().equals(value))
          .findAny()
          .orElse(UNFIT);
    }
    if (value instanceof String && type == Duration.class) {
      return ((String) value).startsWith("PT") ? Duration.parse((String) value) : UNFIT;
    }
    return type.isInstance(value) ? value : UNFIT;
  }

  private static GeoEntry geoEntry(List<?> entry) {
    return new GeoEntry(number(entry.get(0)), number(entry.get(1)), entry.get(2));
  }

  private static GeoSearchArgs geoSearch(Map<?, ?> options) {
    ShapeGeoSearch center =
        options.containsKey("member")
            ? GeoSearchArgs.from(options.get("member"))
            : GeoSearchArgs.from(number(options.get("longitude")), number(options.get("latitude")));
    GeoUnit unit = (GeoUnit) fit(GeoUnit.class, options.get("unit"));
    OptionalGeoSearch search =
        options.containsKey("radius")
            ? center.radius(number(options.get("radius")), unit)
            : center.box(number(options.get("width")), number(options.get("height")), unit);
    if (options.containsKey("count")) {
      search = search.count((Integer) options.get("count"));
    }
    if (options.containsKey("countAny")) {
      search = search.countAny((Integer) options.get("countAny"));
    }
    return options.containsKey("order") ? search.order(GeoOrder.valueOf((String) options.get("order"))) : search;
  }

  private static DequeMoveArgs dequeMove(Map<?, ?> options) {
    DequeMoveDestination move =
        options.get("poll").equals("first") ? DequeMoveArgs.pollFirst() : DequeMoveArgs.pollLast();
    return options.containsKey("addFirstTo")
        ? move.addFirstTo((String) options.get("addFirstTo"))
        : move.addLastTo((String) options.get("addLastTo"));
  }

  private static StreamAddArgs<Object, Object> fields(List<?> pairs) {
    Map<Object, Object> fields = new LinkedHashMap<>();
    pairs.forEach(pair -> fields.put(((List<?>) pair).get(0), ((List<?>) pair).get(1)));
    return StreamAddArgs.entries(fields);
  }

  private static StreamMessageId streamId(String id) {
    if (id.equals("-")) {
      return StreamMessageId.MIN;
    }
    if (id.equals("+")) {
      return StreamMessageId.MAX;
    }
    String[] parts = id.split("-");
    return new StreamMessageId(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> parse(String line) {
    return (Map<String, Object>) new Yaml(new SafeConstructor(new LoaderOptions())).load(line); // JSON is YAML as well
  }

  @SuppressWarnings("unchecked")
  private static List<List<Object>> calls(Object requested) {
    return ((List<List<Object>>) requested).stream().map(ArrayList::new).collect(Collectors.toList());
  }

  private static synchronized void tell(String event, Map<String, Object> facts) {
    Map<String, Object> message = new LinkedHashMap<>(Map.of("event", event));
    message.putAll(facts);
    OUT.println(json(message));
  }

  private static String json(Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    }
    if (value instanceof Map) {
      return ((Map<?, ?>) value)
          .entrySet().stream()
              .map(entry -> json(String.valueOf(entry.getKey())) + ":" + json(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof GeoPosition) {
      GeoPosition position = (GeoPosition) value;
      return String.format("{\"longitude\":%s,\"latitude\":%s}", position.getLongitude(), position.getLatitude());
    }
    if (value instanceof ScoredEntry) {
      ScoredEntry<?> entry = (ScoredEntry<?>) value;
      return json(Arrays.asList(entry.getValue(), entry.getScore()));
    }
    if (value instanceof boolean[]) {
      return Arrays.toString((boolean[]) value);
    }
    if (value instanceof byte[]) {
      return json(Base64.getEncoder().encodeToString((byte[]) value));
    }
    if (value instanceof Collection) {
      return ((Collection<?>) value).stream().map(Peer::json).collect(Collectors.joining(",", "[", "]"));
    }
    return String.valueOf(value)
        .chars()
        .mapToObj(unit -> unit < ' ' || unit == '"' || unit == '\\' ? String.format("\\u%04x", unit) : "" + (char) unit)
        .collect(Collectors.joining("", "\"", "\""));
  }
}
