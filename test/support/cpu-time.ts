/** How long a piece of work keeps this process busy, in milliseconds: what others do on the machine meanwhile does not count. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The same for work that also waits: what else the process does meanwhile counts. */
export async function cpuMsWhile(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
