/** A program that is told by its command line what to do. */
export interface Program<T> {
  /** Reads the command line; throws an error that says in one line what is wrong with it. */
  readonly read: (args: readonly string[]) => T
  readonly usage: string
  /** Does it, and returns the exit code. */
  readonly perform: (task: T) => Promise<number>
}

/** Runs a program. Returns the exit code: 2 if the command line is wrong, 1 if the program cannot do what it should. */
export async function runProgram<T>(
  args: readonly string[],
  { read, usage, perform }: Program<T>,
): Promise<number> {
  let task: T
  try {
    task = read(args)
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`)
    return 2
  }
  try {
    return await perform(task)
  } catch (error) {
    console.error(messageOf(error))
    return 1
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
