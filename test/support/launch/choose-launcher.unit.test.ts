import { describe, expect, it } from 'vitest'
import { chooseWhere, type Surroundings } from './choose-launcher.js'

/** A machine that has nothing. */
const bare: Surroundings = {
  variables: {},
  dockerAnswers: () => Promise.resolve(false),
  findServer: () => undefined,
  canInstallServer: () => false,
  installServer: () => Promise.reject(new Error('Nothing may be installed here')),
}
const withDocker = { ...bare, dockerAnswers: () => Promise.resolve(true) }
const withServer = { ...bare, findServer: () => '/usr/bin/redis-server' }
const withBoth = { ...withDocker, findServer: withServer.findServer }

const local = { where: 'local', binary: '/usr/bin/redis-server' }
const docker = { where: 'docker', image: 'redis:7.4' }

describe('servers', () => {
  it.each([
    ['in a container where Docker answers', withDocker, docker],
    ['in a container although a server is installed', withBoth, docker],
    ['on this machine without Docker', withServer, local],
  ])('run %s', async (_, surroundings, choice) => {
    expect(await chooseWhere(surroundings)).toEqual(choice)
    expect(await chooseWhere(demanding('auto', surroundings))).toEqual(choice)
  })

  it('run where they are demanded', async () => {
    expect(await chooseWhere(demanding('local', withBoth))).toEqual(local)
    expect(await chooseWhere(demanding('docker', withBoth))).toEqual(docker)
  })

  it('run in the image that is demanded', async () => {
    const variables = { REDISSON_TEST_IMAGE: 'valkey/valkey:8' }
    expect(await chooseWhere({ ...withDocker, variables })).toMatchObject({ image: 'valkey/valkey:8' })
  })

  it('are installed where there are none and it is possible', async () => {
    let installed = false
    const surroundings = {
      ...bare,
      canInstallServer: () => true,
      installServer: () => {
        installed = true
        return Promise.resolve()
      },
      findServer: () => (installed ? '/usr/bin/redis-server' : undefined),
    }
    expect(await chooseWhere(surroundings)).toEqual(local)
  })

  it.each([
    ['auto', bare, 'need redis-server or valkey-server on the PATH, or a Docker engine: install one of them'],
    ['local', withDocker, 'need redis-server or valkey-server on the PATH'],
    ['docker', withServer, 'REDISSON_TEST_REDIS is "docker", but no Docker engine answers'],
    ['Docker', withBoth, 'Expected REDISSON_TEST_REDIS to be "local", "docker" or "auto", got "Docker"'],
  ])('are missed in one line that says what to do: %s', async (wanted, surroundings, message) => {
    const error = await chooseWhere(demanding(wanted, surroundings)).catch((reason: unknown) => reason)
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain('\n')
  })

  it('are not looked for without need', async () => {
    const surroundings = {
      ...withServer,
      dockerAnswers: () => Promise.reject(new Error('Docker was not requested')),
    }
    expect(await chooseWhere(demanding('local', surroundings))).toEqual(local)
  })
})

function demanding(where: string, surroundings: Surroundings): Surroundings {
  return { ...surroundings, variables: { REDISSON_TEST_REDIS: where } }
}
