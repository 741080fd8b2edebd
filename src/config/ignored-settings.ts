/** The sections that say where the servers are. */
export type SectionName =
  | 'singleServerConfig'
  | 'masterSlaveServersConfig'
  | 'sentinelServersConfig'
  | 'replicatedServersConfig'
  | 'clusterServersConfig'

/** The sections of Redisson's PRO edition that say where the servers are, instead of one of those above. */
export const sectionsOfPro: ReadonlySet<string> = new Set([
  'multiClusterServersConfig',
  'multiSentinelServersConfig',
  'proxyServersConfig',
])

/** Classes, threads, stores and pools: what only a JVM, or a client with many connections, can honour. */
const ssl = [
  'sslCiphers',
  'sslKeyManagerFactory',
  'sslKeystore',
  'sslKeystorePassword',
  'sslKeystoreType',
  'sslProtocols',
  'sslProvider',
  'sslTrustManagerFactory',
  'sslTruststore',
  'sslTruststorePassword',
  'sslVerificationMode',
]

/** What Redisson knows both for the client and for a server section. */
const everywhere = [
  ...ssl,
  'commandMapper',
  'credentialsResolver',
  'tcpKeepAliveCount',
  'tcpKeepAliveIdle',
  'tcpKeepAliveInterval',
  'tcpUserTimeout',
]

const anySection = [
  ...everywhere,
  'dnsMonitoringInterval',
  'dnsMonitoringTimes',
  'failedAttempts',
  'idleConnectionTimeout',
  'pingTimeout',
  'reconnectionTimeout',
  'sslEnableEndpointIdentification',
  'subscriptionConnectionMinimumIdleSize',
  'subscriptionConnectionPoolSize',
  'subscriptionsPerConnection',
]

const severalServers = [
  ...anySection,
  'failedSlaveCheckInterval',
  'failedSlaveNodeDetector',
  'failedSlaveReconnectionInterval',
  'fallbackLoadingToMaster',
  'loadBalancer',
  'masterConnectionMinimumIdleSize',
  'masterConnectionPoolSize',
  'slaveConnectionMinimumIdleSize',
  'slaveConnectionPoolSize',
  'subscriptionMode',
]

/** Settings of Redisson's client that mean nothing here. */
export const ignoredOfClient: ReadonlySet<string> = new Set([
  ...everywhere,
  'addressResolverGroupFactory',
  'beanFactory',
  'cleanUpKeysAmount',
  'clusterConfig',
  'connectionListener',
  'eventLoopGroup',
  'executor',
  'executorServiceWorkers',
  'keepPubSubOrder',
  'mapReduceWorkers',
  'maxCleanUpDelay',
  'meterMode',
  'meterRegistryProvider',
  'minCleanUpDelay',
  'nettyExecutor',
  'nettyHook',
  'nettyThreads',
  'performanceMode',
  'protocol',
  'redissonNodeInitializer',
  'referenceEnabled',
  'registrationKey',
  'sentinelConfig',
  'singleConfig',
  'slaveNotUsed',
  'threads',
  'transportMode',
  'useScriptCache',
  'useThreadClassLoader',
  'valkeyCapabilities',
])

/** Settings of one of Redisson's server sections that mean nothing here. */
export function ignoredIn(section: string): ReadonlySet<string> {
  return bySection.get(section) ?? new Set()
}

const ofSection: Readonly<Record<SectionName, ReadonlySet<string>>> = {
  singleServerConfig: new Set([...anySection, 'connectionMinimumIdleSize', 'connectionPoolSize']),
  masterSlaveServersConfig: new Set([...severalServers, 'readMode']),
  sentinelServersConfig: new Set([
    ...severalServers,
    'checkSentinelsList',
    'checkSlaveStatusWithSyncing',
    'scanInterval',
    'sentinelsDiscovery',
  ]),
  replicatedServersConfig: new Set([...severalServers, 'monitorIPChanges', 'natMapper', 'readMode']),
  clusterServersConfig: new Set([
    ...severalServers,
    'checkMasterLinkStatus',
    'checkSlotsCoverage',
    'slots',
    'topicSlots',
  ]),
}

const bySection: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries(ofSection))
