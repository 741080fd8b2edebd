import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, textOf } from './snippets.js'

const MOST_WORDS = 28

const pages = globSync('{*.md,docs/**/*.md}', { cwd: root }).filter((page) => !page.startsWith('docs/api/'))

const sources = globSync('src/**/*.ts', { cwd: root })

/** The sentences of a page, without blocks of code, tables and headings. Code within a sentence is one word. */
function sentencesOf(page: string): string[] {
  const prose = textOf(page)
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .replaceAll(/^[|#].*$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/`[^`]*`/g, 'X')
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?:;][)*]*)\s+(?=[(*[]*[A-Z])/))
}

function isLong(sentence: string): boolean {
  return sentence.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length > MOST_WORDS
}

describe('plain English', () => {
  it.each(pages)('%s has no sentence of more than 28 words', (page) => {
    const long = sentencesOf(page).filter(isLong)
    expect(long).toEqual([])
  })

  it('begins docstrings with what a function does, and not with "Has", "Have" or "Lets"', () => {
    const found = sources.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\/\*\*\s+(?:\* )?(?:Has|Have|Lets) .*/g)].map(
        ([docstring]) => `${file}: ${docstring}`,
      ),
    )
    expect(found).toEqual([])
  })

  it('says "even if" and not "also if"', () => {
    const found = [...pages, ...sources].filter((file) => /also\s+(?:\* )?if\b/i.test(textOf(file)))
    expect(found).toEqual([])
  })
})
