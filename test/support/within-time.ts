/**
 * Runs programs for no longer than a time limit, in milliseconds: those that come later pass unrun.
 *
 * Unlike the `interruptAfterTimeLimit` of fast-check it ends no program in its middle. Such a one goes on beside the tests that
 * follow, and no test sees how it ends.
 */
export function withinTime<Program>(
  limitMs: number,
  run: (program: Program) => Promise<void>,
): (program: Program) => Promise<void> {
  let end: number | undefined
  return async (program) => {
    end ??= performance.now() + limitMs
    if (performance.now() < end) await run(program)
  }
}
