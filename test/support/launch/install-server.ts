import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program to its end. */
export type Run = (program: string, args: readonly string[]) => Promise<unknown>

/**
 * Installs `redis-server` on Debian or Ubuntu, without asking anything.
 *
 * The package starts a service on port 6379. The tests have their own servers on other ports, so it is stopped again.
 */
export async function installServer(run: Run = runWithoutPrompts): Promise<void> {
  await run('apt-get', ['update']).catch(ignore) // one source out of order need not matter
  await run('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server', 'redis-tools'])
  await run('service', ['redis-server', 'stop']).catch(ignore) // where nothing manages services, none was started
}

const runFile = promisify(execFile)

function runWithoutPrompts(program: string, args: readonly string[]): Promise<unknown> {
  return runFile(program, [...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}

function ignore(): void {}
