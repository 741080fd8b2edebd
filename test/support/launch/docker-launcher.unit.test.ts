import { describe, expect, it } from 'vitest'
import {
  containerScript,
  filesOf,
  isTaken,
  killLine,
  majorOf,
  signalLine,
  startLine,
} from './docker-launcher.js'

const server = { port: 7000, arguments: ['--port', '7000', '--save', ''] }
const sentinel = {
  port: 7001,
  arguments: ['sentinel.conf', '--sentinel'],
  files: { 'sentinel.conf': 'port 7001\n' },
}

describe('a container of servers', () => {
  it('starts every server in a folder of its own, and notes its process', () => {
    expect(startLine(server)).toBe(
      'mkdir -p /fleet/7000 && cd /fleet/7000 && "$(command -v redis-server || command -v valkey-server)"' +
        " '--port' '7000' '--save' '' '--daemonize' 'yes' '--pidfile' 'server.pid' '--logfile' 'server.log'",
    )
  })

  it('starts all of them, and stays when they are killed', () => {
    const lines = containerScript([server, sentinel]).split('\n')
    expect(lines).toEqual([startLine(server), startLine(sentinel), 'while :; do sleep 1; done'])
  })

  it('has their files where they look for them', () => {
    expect(filesOf([server, sentinel])).toEqual([
      { content: 'port 7001\n', target: '/fleet/7001/sentinel.conf' },
    ])
  })

  it('sends signals to one of them', () => {
    expect(signalLine(7000, 'STOP')).toBe('kill -STOP "$(cat /fleet/7000/server.pid)"')
    expect(killLine(7000)).toContain('kill -KILL "$pid"')
  })

  it('leaves quotes in arguments as they are', () => {
    expect(startLine({ port: 1, arguments: ["it's"] })).toContain(String.raw`'it'\''s'`)
  })

  it.each([
    ['redis:7.4', 7],
    ['redis:6.2-alpine', 6],
    ['registry.example.org:5000/team/valkey:8.1', 8],
    ['registry.example.org:5000/team/redis', Infinity],
    ['redis:latest', Infinity],
    ['redis@sha256:3fd0', Infinity],
  ])('of the image %s has version %d', (image, major) => {
    expect(majorOf(image)).toBe(major)
  })

  it('tries other ports only when the engine refuses one that was asked for', () => {
    const refusal = new Error('driver failed: Bind for 0.0.0.0:7000 failed: port is already allocated')
    const inUse = new Error('listen tcp4 0.0.0.0:7000: bind: address already in use')
    expect([isTaken(7000, refusal), isTaken(7000, inUse)]).toEqual([true, true])
    expect([isTaken(7001, refusal), isTaken(7000, new Error('no such image: redis:7000'))]).toEqual([
      false,
      false,
    ])
  })
})
