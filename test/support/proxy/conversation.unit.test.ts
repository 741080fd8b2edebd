import { describe, expect, it } from 'vitest'
import { Conversation } from './conversation.js'

describe('a conversation', () => {
  it('knows which reply belongs to which request', () => {
    const conversation = asking(['SET', 'a', '1'], ['GET', 'a'])
    expect(hear(conversation, '+OK\r\n', '$1\r\n1\r\n', '+late\r\n')).toEqual(['SET a 1', 'GET a', undefined])
  })

  it.each([
    ['*', '2'],
    ['>', '3'],
  ])('does not take a message (%s) for a reply', (type, protocol) => {
    const conversation = asking(['HELLO', protocol], ['SUBSCRIBE', 'a', 'b'], ['PING'])
    const confirmed = (channel: string): string => `${type}3\r\n$9\r\nsubscribe\r\n$1\r\n${channel}\r\n:1\r\n`
    const message = `${type}3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nm\r\n`
    hear(conversation, '+the answer to HELLO\r\n')
    expect(hear(conversation, confirmed('a'), message, confirmed('b'), message, '+PONG\r\n')).toEqual([
      'SUBSCRIBE a b',
      undefined,
      'SUBSCRIBE a b',
      undefined,
      'PING',
    ])
    expect(conversation.subscribed).toBe(true)
  })

  it('goes on after a subscription that was refused', () => {
    const conversation = asking(['SSUBSCRIBE', 'a', 'b'], ['PING'])
    expect(hear(conversation, '-MOVED 1 127.0.0.1:1\r\n', '+PONG\r\n')).toEqual(['SSUBSCRIBE a b', 'PING'])
  })

  it('does not take a list that begins like a message for one', () => {
    const conversation = asking(['LRANGE', 'a', '0', '-1'])
    expect(hear(conversation, '*1\r\n$7\r\nmessage\r\n')).toEqual(['LRANGE a 0 -1'])
  })

  it('is not confused when a slot takes its channel along', () => {
    const conversation = asking(['HELLO', '3'], ['GET', 'a'])
    const lost = '>3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n'
    expect(hear(conversation, '%0\r\n', lost, '_\r\n')).toEqual(['HELLO 3', undefined, 'GET a'])
  })
})

function asking(...requests: readonly (readonly string[])[]): Conversation {
  const conversation = new Conversation()
  for (const words of requests) {
    const bulks = words.map((word) => `$${word.length}\r\n${word}\r\n`)
    conversation.asked(Buffer.from(`*${words.length}\r\n${bulks.join('')}`))
  }
  return conversation
}

function hear(conversation: Conversation, ...replies: readonly string[]): (string | undefined)[] {
  return replies.map((reply) => conversation.heard(Buffer.from(reply)))
}
