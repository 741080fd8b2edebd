import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { SocketProgress } from '../../../src/connection/node/socket-progress.js'

describe('the bytes of a reply that arrives', () => {
  const open = () => {
    const socket = new EventEmitter() as unknown as Socket
    return {
      progress: SocketProgress.of(socket),
      receive: (bytes: number) => socket.emit('data', Buffer.alloc(bytes)),
    }
  }

  it('are those since the last chunk in which a reply ended', () => {
    const { progress, receive } = open()
    receive(100)
    receive(50)
    expect(progress.arriving).toBe(150)
    progress.replied()
    expect(progress.arriving).toBe(0)
  })

  it('are not those of a chunk whose replies the parser has read before', () => {
    const { progress, receive } = open()
    progress.replied()
    receive(64_000)
    expect(progress.arriving).toBe(0)
    receive(64_000)
    expect(progress.arriving).toBe(64_000)
  })
})
