import { describe, expect, it } from 'vitest'
import { clusterNodePlan, replicaPlan, sentinelPlan, serverPlan } from './server-plans.js'

const ground = { bind: '127.0.0.1', major: 7 }

describe('the plan of a server', () => {
  it('keeps it in memory, on this machine and in the foreground', () => {
    expect(serverPlan(ground, 7000)).toEqual({
      port: 7000,
      arguments: [
        ...['--port', '7000', '--bind', '127.0.0.1', '--protected-mode', 'no', '--daemonize', 'no'],
        ...[
          '--save',
          '',
          '--appendonly',
          'no',
          '--repl-diskless-sync',
          'yes',
          '--repl-diskless-sync-delay',
          '0',
        ],
        ...['--enable-debug-command', 'yes'],
      ],
    })
  })

  it('keeps every write on disk where that is asked for', () => {
    const args = serverPlan(ground, 7000, 'every write').arguments.join(' ')
    expect(args.lastIndexOf('--appendonly yes')).toBeGreaterThan(args.lastIndexOf('--appendonly no'))
    expect(args).toContain('--appendfsync always')
  })

  it('does not use a setting that old versions do not know', () => {
    expect(serverPlan({ ...ground, major: 6 }, 7000).arguments).not.toContain('--enable-debug-command')
  })

  it('makes a replica follow its master', () => {
    const args = replicaPlan(ground, 7001, 7000).arguments.join(' ')
    expect(args).toContain('--replicaof 127.0.0.1 7000')
  })

  it('announces an address that is valid outside a container as well', () => {
    const inContainer = { bind: '0.0.0.0', major: 7 }
    expect(replicaPlan(inContainer, 7001, 7000).arguments.join(' ')).toContain(
      '--replica-announce-ip 127.0.0.1',
    )
    const node = clusterNodePlan(inContainer, 7000, { nodeTimeoutMs: 500 }).arguments.join(' ')
    expect(node).toContain('--bind 0.0.0.0')
    expect(node).toContain('--cluster-announce-ip 127.0.0.1')
    expect(node).toContain('--cluster-node-timeout 500')
  })

  it('gives a sentinel a file of its own', () => {
    const watch = { masterName: 'm', masterPort: 7000, quorum: 2, downAfterMs: 500, failoverTimeoutMs: 3000 }
    expect(sentinelPlan(ground, 7010, watch)).toEqual({
      port: 7010,
      arguments: ['sentinel.conf', '--sentinel'],
      files: {
        'sentinel.conf': [
          'port 7010',
          'bind 127.0.0.1',
          'protected-mode no',
          'sentinel announce-ip 127.0.0.1',
          'sentinel monitor m 127.0.0.1 7000 2',
          'sentinel down-after-milliseconds m 500',
          'sentinel failover-timeout m 3000',
          'sentinel parallel-syncs m 2',
          '',
        ].join('\n'),
      },
    })
  })
})
