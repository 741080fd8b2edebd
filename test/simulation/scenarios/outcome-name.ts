/** How a call has ended: `ok`, or the name of its error. */
export function outcomeName(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  )
}
