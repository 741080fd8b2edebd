import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DEFAULT_IMAGE, dockerAnswers, dockerLauncher } from './docker-launcher.js'
import { installServer } from './install-server.js'
import type { Launcher } from './launcher.js'
import { localLauncher } from './local-launcher.js'

/** Where servers are to run. */
export type Choice =
  { readonly where: 'docker'; readonly image: string } | { readonly where: 'local'; readonly binary: string }

/** What there is to choose from. */
export interface Surroundings {
  /** The environment's variables. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Whether a Docker engine runs. */
  dockerAnswers(): Promise<boolean>
  /** The server that is installed, if one is. */
  findServer(): string | undefined
  /** Whether {@link Surroundings.installServer} may be tried. */
  canInstallServer(): boolean
  /** Installs a server for good. */
  installServer(): Promise<void>
}

/** The variable that says where servers run: `local`, `docker` or `auto`. */
const WHERE = 'REDISSON_TEST_REDIS'
/** The variable that names the image for Docker. */
const IMAGE = 'REDISSON_TEST_IMAGE'

let chosen: Promise<Launcher> | undefined

/**
 * Where this run's servers are started. Chosen once: processes that are started from here later find the choice in
 * their environment and need not look around again.
 */
export function theLauncher(): Promise<Launcher> {
  return (chosen ??= choose())
}

async function choose(): Promise<Launcher> {
  const choice = await chooseWhere(thisMachine)
  process.env[WHERE] = choice.where
  return choice.where === 'docker' ? dockerLauncher(choice.image) : localLauncher(choice.binary)
}

/**
 * Docker where an engine answers, otherwise an installed server, otherwise one that is installed now; or what
 * `REDISSON_TEST_REDIS` demands.
 *
 * @throws Error that says in one line what is missing
 */
export async function chooseWhere(surroundings: Surroundings): Promise<Choice> {
  const wanted = surroundings.variables[WHERE] ?? 'auto'
  switch (wanted) {
    case 'docker':
      if (await surroundings.dockerAnswers()) return docker(surroundings)
      throw new Error(`${WHERE} is "docker", but no Docker engine answers: start one, or set it to "local"`)
    case 'local':
      return local(surroundings)
    case 'auto':
      return (await surroundings.dockerAnswers()) ? docker(surroundings) : local(surroundings)
    default:
      throw new RangeError(`Expected ${WHERE} to be "local", "docker" or "auto", got "${wanted}"`)
  }
}

function docker({ variables }: Surroundings): Choice {
  return { where: 'docker', image: variables[IMAGE] ?? DEFAULT_IMAGE }
}

async function local(surroundings: Surroundings): Promise<Choice> {
  const installed = surroundings.findServer()
  if (installed !== undefined) return { where: 'local', binary: installed }
  if (surroundings.canInstallServer()) await surroundings.installServer()
  const binary = surroundings.findServer()
  if (binary !== undefined) return { where: 'local', binary }
  throw new Error(
    'The tests need redis-server or valkey-server on the PATH, or a Docker engine: install one of them',
  )
}

const thisMachine: Surroundings = {
  variables: process.env,
  dockerAnswers,
  findServer: () => findOnPath('redis-server') ?? findOnPath('valkey-server'),
  canInstallServer: () => process.getuid?.() === 0 && isDebian() && findOnPath('apt-get') !== undefined,
  installServer: () => installServer(),
}

function findOnPath(program: string): string | undefined {
  const folders = process.env['PATH']?.split(delimiter) ?? []
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isDebian(): boolean {
  try {
    return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}
