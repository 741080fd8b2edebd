// Of three processes one leads. When it stops, another takes over, and so on.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const address = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'

let lastToken = 0

/** What each process does: it competes, and leads until it is shut down. */
async function start() {
  const client = await Redisson.create({ singleServerConfig: { address } })
  const election = client.getLeaderElection('examples:scheduler')
  const ended = election.run(async ({ signal, token }) => {
    console.log('a leader, with a larger token:', token > lastToken)
    lastToken = token
    if (!signal.aborted) await once(signal, 'abort') // here it would schedule, until then
    console.log('stops leading')
  })
  return { client, election, ended }
}

// Three clients stand for three processes.
const processes = await Promise.all([start(), start(), start()])

for (let term = 1; term <= 3; term += 1) {
  const leader = await theLeader()
  const owner = await leader.election.getLeader()
  console.log('Redis knows it:', owner?.startsWith(leader.client.id))
  await leader.client.shutdown() // gives the leadership up at once
  await leader.ended
}

async function theLeader() {
  for (;;) {
    const leader = processes.find(({ election }) => election.isLeader)
    if (leader !== undefined) return leader
    await sleep(10)
  }
}
