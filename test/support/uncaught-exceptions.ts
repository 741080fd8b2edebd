/** The next uncaught exceptions, which fail no test. */
export async function uncaughtExceptions(count: number): Promise<unknown[]> {
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  const errors: unknown[] = []
  await new Promise<void>((resolve) => {
    process.on('uncaughtException', (error) => {
      if (errors.push(error) === count) resolve()
    })
  })
  process.removeAllListeners('uncaughtException')
  for (const listener of others) process.on('uncaughtException', listener)
  return errors
}
