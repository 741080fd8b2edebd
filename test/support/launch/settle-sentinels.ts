import { eventually } from '../eventually.js'
import { askEach } from './ask-each.js'
import type { ServerNode } from './topology.js'

/** What sentinels have to find out. */
interface Surroundings {
  readonly masterName: string
  readonly replicas: number
}

/** Resolves when every sentinel knows the master, its replicas and the other sentinels. */
export async function settleSentinels(
  sentinels: readonly ServerNode[],
  { masterName, replicas: replicaCount }: Surroundings,
): Promise<void> {
  // Sentinels introduce themselves every two seconds, and ask for replicas every ten. Not every version can be hurried.
  await askEach(sentinels, 'SENTINEL', 'DEBUG', 'PUBLISH-PERIOD', 50, 'INFO-PERIOD', 100).catch(ignore)
  const others = sentinels.length - 1
  await eventually(
    async () => {
      for (const sentinel of sentinels) {
        const facts = pairs(await sentinel.command('SENTINEL', 'MASTER', masterName))
        const known = [facts['flags'], facts['num-slaves'], facts['num-other-sentinels']].join()
        if (known !== `master,${String(replicaCount)},${String(others)}`)
          throw new Error(`One knows ${known}`)
        const replicas = (await sentinel.command('SENTINEL', 'REPLICAS', masterName)) as unknown[]
        if (!replicas.every((replica) => pairs(replica)['master-link-status'] === 'ok'))
          throw new Error('No link')
      }
    },
    { withinMs: 30_000, what: 'the sentinels to find each other' },
  )
  await askEach(sentinels, 'SENTINEL', 'DEBUG', 'PUBLISH-PERIOD', 2_000, 'INFO-PERIOD', 10_000).catch(ignore)
}

/** A flat list of names and values, as an object. */
function pairs(reply: unknown): Record<string, string> {
  const list = reply as string[]
  return Object.fromEntries(
    list.flatMap((name, index) => (index % 2 === 0 ? [[name, String(list[index + 1])]] : [])),
  )
}

function ignore(): void {}
