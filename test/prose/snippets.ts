import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

/** Where the project is. */
export const root = resolve(import.meta.dirname, '../..')

/** Every page of prose, by its path from the root. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  ...readdirSync(join(root, 'docs/guide')).map((file) => `docs/guide/${file}`),
]

/** One block of code on a page. */
export interface Block {
  readonly page: string
  /** The line of its fence. */
  readonly line: number
  readonly language: string
  /** What stands behind the language, such as `no-run`. */
  readonly mark: string
  readonly code: string
}

/** A block of TypeScript. */
export interface Snippet extends Block {
  /** What the compiler says against it, with the lines of its page. */
  readonly complaints: readonly string[]
  /** As JavaScript that every supported Node can read. */
  readonly compiled: string
}

/** The text of a page. */
export function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** The blocks of code on a page. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page)
  return [...text.matchAll(/^```(\w+)[ ]?(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [, language = '', mark = '', code = ''] = match
    return { page, line: text.slice(0, match.index).split('\n').length, language, mark, code }
  })
}

/** Reads the snippets of all pages with the types of the sources. */
export function compileSnippets(): Snippet[] {
  const blocks = pages.flatMap(blocksOf).filter(({ language }) => language === 'ts')
  const sources = new Map(blocks.map((block) => [fileOf(block), withSurroundings(block)]))
  const outputs = new Map<string, string>()
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram([...sources.keys()], options, {
    ...host,
    fileExists: (file) => sources.has(file) || host.fileExists(file),
    readFile: (file) => sources.get(file) ?? host.readFile(file),
    getSourceFile: (file, ...rest) => {
      const source = sources.get(file)
      return source === undefined
        ? host.getSourceFile(file, ...rest)
        : ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
    },
    writeFile: (file, output) => outputs.set(file, output),
  })
  return blocks.map((block) => {
    const file = fileOf(block)
    const source = program.getSourceFile(file)
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    program.emit(source)
    return {
      ...block,
      complaints: found.map((diagnostic) => messageOf(diagnostic, block)),
      compiled: outputs.get(file.replace(/\.ts$/, '.js')) ?? '',
    }
  })
}

/** Those of the project, for code that only every newer Node reads as it is written. */
const options = readOptions()

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: object
  }
  const extra = {
    target: 'es2022',
    noEmit: false,
    declaration: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    paths: { ioredisson: ['./src/index.ts'], surroundings: ['./test/prose/surroundings.ts'] },
  }
  const { compilerOptions } = config as { readonly compilerOptions: object }
  return ts.convertCompilerOptionsFromJson({ ...compilerOptions, ...extra }, root).options
}

/** The file that a block pretends to be, so that it finds what its page would. */
function fileOf({ page, line }: Block): string {
  return join(root, dirname(page), `${page.replaceAll(/\W/g, '-')}-${String(line)}.ts`)
}

/** What a block may use without making or importing it. */
const surroundings = ['client', 'work', 'Redisson']

/** On the block's first line, so that the others keep their numbers. */
function withSurroundings({ code }: Block): string {
  const given = surroundings.filter(
    (name) => !new RegExp(`\\b(const|using|function) ${name}\\b|^import .*\\b${name}\\b`, 'm').test(code),
  )
  return `import { ${given.join(', ')} } from 'surroundings'; ${code}`
}

function messageOf({ start = 0, file, messageText }: ts.Diagnostic, { page, line }: Block): string {
  const at = line + 1 + (file?.getLineAndCharacterOfPosition(start).line ?? 0)
  return `${page}:${String(at)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
}

/** A page's relative links, as paths from the root and headings there. */
export function linksOf(page: string): { readonly path: string; readonly heading: string | undefined }[] {
  const text = textOf(page).replaceAll(/^```[^]*?^```$/gm, '')
  return [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path = '', heading]) => ({
    path: path === '' ? page : relative(root, resolve(root, dirname(page), path)),
    heading,
  }))
}

/** The headings of a page, as links name them. */
export function headingsOf(page: string): string[] {
  const text = textOf(page).replaceAll(/^```[^]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** The rows of a page's tables whose first cell is code: that, and the cells after it. */
export function rowsOf(page: string, heading: string): [string, ...string[]][] {
  const [, section = ''] = textOf(page).split(new RegExp(`^#+ ${heading}$`, 'm'))
  const [own = ''] = section.split(/^#+ /m)
  return [...own.matchAll(/^\| `([^`]+)` *\|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    ...rest.split('|').map((cell) => cell.trim()),
  ])
}

/** The rows of all tables of a page, by their cells. */
export function cellsOf(page: string): string[][] {
  return [...textOf(page).matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  )
}

/** What stands as code in a text. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}
