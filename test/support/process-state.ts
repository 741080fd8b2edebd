import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What `ps` says of a process: `T` for frozen, `Z` for a zombie; `''` if there is none. */
export async function stateOf(pid: number): Promise<string> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)])
    return stdout.trim()
  } catch {
    return ''
  }
}

/** Whether a process still runs. Another process may have to reap it. */
export async function isAlive(pid: number): Promise<boolean> {
  const state = await stateOf(pid)
  return state !== '' && !state.startsWith('Z')
}
