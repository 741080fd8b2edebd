import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { root } from './snippets.js'

/** What the library makes, where a property is there or is not. */
const RESULTS = [
  'AcquireTrace',
  'DelayedRelease',
  'MapCacheEvent',
  'RequestTrace',
  'SubscriptionTrace',
  'TimeSeriesEntry',
]

const sources = globSync(['src/api/*.ts', 'src/**/*.api.ts'], { cwd: root })

function admitsUndefined(type: ts.TypeNode): boolean {
  return ts.isUnionTypeNode(type)
    ? type.types.some(admitsUndefined)
    : [ts.SyntaxKind.UndefinedKeyword, ts.SyntaxKind.UnknownKeyword].includes(type.kind)
}

/** The properties of public types that may be left out and do not admit undefined, as `Type.property`. */
function refusing(file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node, owner = '') => {
    const name = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? node.name.text : owner
    if (ts.isPropertySignature(node) && node.questionToken && node.type && !admitsUndefined(node.type))
      found.push(`${name}.${node.name.getText()}`)
    ts.forEachChild(node, (child) => {
      visit(child, name)
    })
  }
  const text = readFileSync(join(root, file), 'utf8')
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

describe('options of the public interface', () => {
  it('may be undefined where they may be left out, also with `exactOptionalPropertyTypes`', () => {
    const found = sources.flatMap(refusing).filter((name) => !RESULTS.includes(name.split('.')[0] ?? ''))
    expect(found).toEqual([])
  })
})
