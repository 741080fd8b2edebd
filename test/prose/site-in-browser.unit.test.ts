import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/launch/guard.js'
import { Browser, findBrowser, type BrowserPage } from './browser.js'
import { pages, root, textOf } from './snippets.js'

const run = promisify(execFile)

/** Of a phone, and of a desk. */
const WIDTHS = [390, 1440]

/** typedoc has to read all sources. */
const PATIENCE_MS = 300_000

const TYPEDOC = join(root, 'node_modules/typedoc/bin/typedoc')

/** The titles of the guide. */
const titles = pages
  .filter((path) => path.startsWith('docs/guide/'))
  .map((path) => /^# (.+)\n/.exec(textOf(path))?.[1] ?? '')

/** Pages of the API, wide ones among them. */
const ofApi = ['API', 'RedissonClient', 'RedissonOptions', 'RLock', 'RMap', 'RedissonError']

describe('the site in a browser', { tags: ['full'] }, () => {
  const folder = temporaryFolder()
  let found: Browser | undefined
  let browser: Browser

  beforeAll(async () => {
    const program = findBrowser()
    if (program === undefined) return
    await run(process.execPath, [TYPEDOC, '--out', folder], { cwd: root })
    found = new Browser(program)
  }, PATIENCE_MS)

  beforeEach(({ skip }) => {
    browser = found ?? skip('there is no chromium on the PATH')
  })

  afterAll(async () => {
    await found?.[Symbol.asyncDispose]()
  })

  /** Goes to a page, and waits until its scripts have shown it, and have made the navigation. */
  const go = async (page: BrowserPage, path: string): Promise<void> => {
    await page.go(String(pathToFileURL(join(folder, path))))
    await eventually(() =>
      page.evaluate(`document.body.checkVisibility() && document.querySelector('.site-menu a') !== null`),
    )
  }

  const open = async (path: string, width: number): Promise<BrowserPage> => {
    const page = await browser.open('about:blank', width)
    await go(page, path)
    return page
  }

  /** The pages that the navigation leads to, by their titles. */
  const navigation = async (page: BrowserPage): Promise<Readonly<Record<string, string>>> => {
    const links = (await page.evaluate(
      `[...document.querySelectorAll('.site-menu a')].map((a) => [a.textContent.trim(), a.href])`,
    )) as readonly (readonly [title: string, link: string])[]
    return Object.fromEntries(links.map(([title, link]) => [title, relative(folder, fileURLToPath(link))]))
  }

  it.each(WIDTHS)(
    'has no page that scrolls to the side at %d pixels',
    { timeout: PATIENCE_MS },
    async (width) => {
      const page = await open('index.html', width)
      const links = await navigation(page)
      const wide: string[] = []
      for (const path of ['index.html', ...[...titles, ...ofApi].map((title) => links[title] ?? title)]) {
        await go(page, path)
        const needed = Number(await page.evaluate('document.documentElement.scrollWidth'))
        if (needed > width) wide.push(`${path} needs ${String(needed)}`)
      }
      expect(wide).toEqual([])
    },
  )

  it('has tables that scroll by themselves', async () => {
    const page = await open('documents/Together_with_Redisson_for_Java.html', 390)
    const tables = await page.evaluate(
      `[...document.querySelectorAll('table')].map((table) => table.clientWidth < table.scrollWidth && getComputedStyle(table).overflowX)`,
    )
    expect(tables).toContain('auto')
  })

  it.each([
    ['SIGTERM', 'Shutting down'],
    ['cron', 'Recipes'],
    ['NestJS', 'Recipes'],
    ['leaderboard', 'Sorted sets'],
    ['getQueue', 'All objects'],
    ['RLock', 'API.RLock'],
  ])('finds %s', async (word, title) => {
    const page = await open('index.html', 390)
    await page.click('#tsd-search-trigger')
    await eventually(() => page.evaluate(`document.activeElement.id === 'tsd-search-input'`))
    await page.type(word)
    await eventually(async () => {
      const found = await page.evaluate(
        `[...document.querySelectorAll('#tsd-search-results a')].map((a) => a.textContent.trim())`,
      )
      expect(found).toContain(title)
    })
  })

  it.each(WIDTHS)('leads to every page of the guide at %d pixels', async (width) => {
    const page = await open('index.html', width)
    const links = await navigation(page)
    expect(titles.filter((title) => links[title] === undefined)).toEqual([])
    if (width < 600) await page.click('#tsd-toolbar-menu-trigger')
    const seen = await page.evaluate(
      `[...document.querySelectorAll('.site-menu details')].forEach((each) => { each.open = true });
      [...document.querySelectorAll('.site-menu a')].filter((a) => a.checkVisibility()).map((a) => a.textContent.trim())`,
    )
    expect(titles.filter((title) => !(seen as readonly string[]).includes(title))).toEqual([])
  })

  it('has a title on every page of the guide', async () => {
    const page = await open('index.html', 1440)
    const links = await navigation(page)
    for (const title of titles) {
      await go(page, links[title] ?? title)
      expect(await page.evaluate(`[...document.querySelectorAll('h1')].map((h1) => h1.textContent)`)).toEqual(
        [title],
      )
    }
  })

  it('has an overview of every page of the guide', () => {
    const overview = readFileSync(join(folder, 'llms.txt'), 'utf8')
    const listed = [...overview.matchAll(/^- \[(.+)\]\((.+?\.html)\)/gm)]
    expect(titles.filter((title) => !listed.some(([, name]) => name === title))).toEqual([])
    for (const [, , path = ''] of listed) expect(readFileSync(join(folder, path), 'utf8')).toContain('<h1>')
  })
})
