import { expect, it } from 'vitest'
import { untilAwaited } from '../../support/channels.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { JavaThread } from '../java-peer.js'
import { plainLock, takeInJava, type Give } from '../sides.js'

/** Settings that both sides have to agree about. */
export function settingsAcrossSides(bench: InteropFixture): void {
  it('name mappers that do the same lead to the same lock', async () => {
    const prefix = 'tenant:'
    await using mapped = await bench.open({
      node: { nameMapper: (name) => `${prefix}${name}` },
      java: { prefix },
    })
    const name = bench.name()
    const thread = mapped.java.thread('mapped')
    const give = await takeInJava(thread, plainLock, name)
    expect(await bench.node[0].getLock(`${prefix}${name}`).isHeldByThread(await thread.owner())).toBe(true)
    await demandWakes(bench, name, give, () => plainLock.inNode(mapped.node, name))
    const hold = await mapped.node.getLock(name).acquire()
    await demandWakes(
      bench,
      name,
      () => hold.unlock(),
      () => takeInJava(thread, plainLock, name),
    )
  })
}

/** What goes for clusters only. */
export function clusterSettingsAcrossSides(bench: InteropFixture): void {
  it('both sides without sharded subscriptions wake each other by ordinary messages', async () => {
    await using plain = await bench.open({ section: { shardedSubscriptionMode: 'OFF' } })
    const name = bench.name()
    const thread: JavaThread = plain.java.thread('plain')
    const give = await takeInJava(thread, plainLock, name)
    await demandWakes(bench, name, give, () => plainLock.inNode(plain.node, name))
    const hold = await plain.node.getLock(name).acquire()
    await demandWakes(
      bench,
      name,
      () => hold.unlock(),
      () => takeInJava(thread, plainLock, name),
    )
  })
}

/** Demands that what one gives back goes to one who waits. */
async function demandWakes(
  bench: InteropFixture,
  name: string,
  give: Give,
  take: () => Promise<Give>,
): Promise<void> {
  const waiting = take()
  await untilAwaited(bench.topology, name)
  await give()
  const giveLater = await waiting
  await giveLater()
}
