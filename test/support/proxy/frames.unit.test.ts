import { describe, expect, it } from 'vitest'
import { FrameSplitter, kindOf, wordsOf } from './frames.js'

const frames = [
  '+OK\r\n',
  '-ERR no\r\n',
  ':1\r\n',
  '$5\r\na\r\nbc\r\n',
  '$-1\r\n',
  '$0\r\n\r\n',
  '*-1\r\n',
  '*0\r\n',
  '*2\r\n$1\r\na\r\n*1\r\n:7\r\n',
  '_\r\n',
  ',1.5\r\n',
  '#t\r\n',
  '(123456789012345678901234567890\r\n',
  '!5\r\nERR x\r\n',
  '=7\r\ntxt:abc\r\n',
  '%1\r\n+key\r\n*1\r\n:1\r\n',
  '~2\r\n:1\r\n:2\r\n',
  '>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n',
  '|1\r\n+ttl\r\n:3\r\n+OK\r\n',
  'PING\r\n',
]

describe('frames', () => {
  it('are found in a stream that comes in one piece', () => {
    expect(split([frames.join('')])).toEqual(frames)
  })

  it('are found in a stream that comes byte by byte', () => {
    expect(split(Array.from(frames.join('')))).toEqual(frames)
  })
})

describe('the words of a request', () => {
  it('are the command and its arguments', () => {
    const request = '*3\r\n$3\r\nSET\r\n$5\r\na\r\n$1\r\n$3\r\nä!\r\n'
    expect(wordsOf(Buffer.from(request))).toEqual(['SET', 'a\r\n$1', 'ä!'])
  })

  it('are found when it was typed', () => {
    expect(wordsOf(Buffer.from('SET a b\r\n'))).toEqual(['SET', 'a', 'b'])
  })
})

describe('a reply', () => {
  it.each([
    ['>3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n', 3, 'confirmation'],
    ['>3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n', 3, 'confirmation'],
    ['>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n', 3, 'message'],
    ['>2\r\n$10\r\ninvalidate\r\n*0\r\n', 3, 'message'],
    ['*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n', 3, 'answer'],
    ['*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n', 2, 'message'],
    ['*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n', 2, 'confirmation'],
    ['*1\r\n$1\r\na\r\n', 2, 'answer'],
    ['-ERR no\r\n', 2, 'error'],
    ['+OK\r\n', 3, 'answer'],
  ] as const)('%j in version %d is: %s', (reply, protocol, kind) => {
    expect(kindOf(Buffer.from(reply), { protocol })).toBe(kind)
  })
})

function split(pieces: readonly string[]): string[] {
  const splitter = new FrameSplitter()
  return pieces.flatMap((piece) => splitter.push(Buffer.from(piece))).map(String)
}
