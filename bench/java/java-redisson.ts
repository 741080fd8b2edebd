import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildPeer } from '../../test/interop/build-peer.js'
import { Child } from '../../test/support/child.js'
import { protect } from '../../test/support/launch/guard.js'
import { VALUE_KINDS, type Contender } from '../contenders/contender.js'

const CLIENT = fileURLToPath(new URL('Client.java', import.meta.url))

/** What this is called, also where there is none. */
export const JAVA = 'redisson-java'

/** Why there is no figure of what it has. */
const NOT_MEASURED = 'only its topics are measured here'

/** Redisson for Java, where it can be built; or why it cannot. */
export async function javaRedisson(): Promise<Contender | { readonly missing: string }> {
  const built = await buildPeer()
  if (built.missing !== undefined) return { missing: built.missing }
  const { classpath } = built
  return {
    name: JAVA,
    settings:
      'version as in test/interop/peer/pom.xml; nothing but the address and the time of the watchdog; a thread for each flow at a lock; values by the asynchronous interface, and a Jackson codec that knows their class. It runs in a JVM, and what it sends is not counted',
    cannot: {
      'blocking-queue': NOT_MEASURED,
      'reliable-queue': 'it is sold apart',
      stream: NOT_MEASURED,
      'key-limits': 'it has no limits for each of many keys',
    },
    workloads: [
      'uncontended',
      'one-process',
      'four-processes',
      'rate-grant',
      'rate-refusal',
      'many-values',
      ...VALUE_KINDS,
    ],
    start: (settings) => {
      const child = spawn('java', ['-cp', classpath, CLIENT, JSON.stringify(settings)], { stdio: 'pipe' })
      protect(child)
      return new Child(child)
    },
  }
}
