/** Owns a browser that looks at the pages of a node, and what it notes meanwhile: requests, faults, broken policies. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { BROWSER } from './browser.js'
import { PATIENCE_MS } from './ports.js'

/** What a browser noted. */
export interface Noted {
  readonly requests: string[]
  readonly faults: string[]
  /** What tabs that are there have asked for and not yet read to its end: streams, most of the time. */
  readonly open: Set<Request>
}

/** Path of the browser: what starts it looks at no PATH. */
const pathOf = (name: string): string => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim() || name

/** A headless browser; only where `BROWSER` is defined. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: pathOf(BROWSER ?? ''), args: ['--no-sandbox', '--disable-gpu'] })

/** What a page is looked at with. */
interface Look {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** What a policy refuses reaches the console with its directive. */
const TELLS_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** What an expression comes to in a page. Past the policy of the page, which lets no text be code. */
export async function inPage<T>(page: Page, expression: string): Promise<T> {
  const session = await page.context().newCDPSession(page)
  const asked = { expression, returnByValue: true, awaitPromise: true }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', asked)
  await session.detach()
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

/** A profile of a browser, with notes of all its tabs. */
export async function lookAt(
  browser: Browser,
  { colorScheme = 'light', width = 1280 }: Look = {},
): Promise<{ readonly context: BrowserContext; readonly noted: Noted }> {
  const context = await browser.newContext({ viewport: { width, height: 860 }, colorScheme })
  context.setDefaultTimeout(PATIENCE_MS)
  const noted: Noted = { requests: [], faults: [], open: new Set() }
  context.on('request', (request) => {
    noted.requests.push(request.url())
    noted.open.add(request)
  })
  const isOver = (request: Request): boolean => noted.open.delete(request)
  context.on('requestfinished', isOver).on('requestfailed', isOver)
  context.on('page', (page) => {
    page.on('close', () => {
      for (const request of noted.open) if (request.frame().page() === page) noted.open.delete(request)
    })
    page.on('pageerror', (error) => noted.faults.push(error.message))
    page.on('console', (message) => {
      // A node that is killed or refuses is said so by the browser, too.
      const isNetwork = /ERR_|Failed to load resource/.test(message.text())
      if (message.type() === 'error' && !isNetwork) noted.faults.push(message.text())
    })
  })
  await context.addInitScript({ content: TELLS_VIOLATIONS })
  return { context, noted }
}

/** Faults of a page that a checker of accessibility finds, in words. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await inPage(page, axe)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  interface Result {
    readonly violations: { readonly id: string; readonly nodes: { html: string; failureSummary: string }[] }[]
  }
  const { violations } = await inPage<Result>(page, `axe.run({ runOnly: ${JSON.stringify(tags)} })`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}
