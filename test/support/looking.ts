/** Owns a browser on the pages of a node, which records requests, faults and policy violations. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { BROWSER } from './browser.js'
import { PATIENCE_MS } from './ports.js'

/** Records of a browser. */
export interface Noted {
  readonly requests: string[]
  readonly faults: string[]
  /** Unfinished requests of open tabs, mostly streams. */
  readonly open: Set<Request>
}

/** Absolute path of the browser, since its launcher does not search PATH. */
const pathOf = (name: string): string => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim() || name

/** Headless browser; only if `BROWSER` is defined. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: pathOf(BROWSER ?? ''), args: ['--no-sandbox', '--disable-gpu'] })

/** Options for viewing a page. */
interface Look {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** Violations of a policy are printed to the console with their directive. */
const REPORTS_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`

/** Value of an expression in a page. Bypasses the policy of the page, which forbids evaluating text. */
export async function inPage<T>(page: Page, expression: string): Promise<T> {
  const session = await page.context().newCDPSession(page)
  const asked = { expression, returnByValue: true, awaitPromise: true }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', asked)
  await session.detach()
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

/** Browser profile, with records of all its tabs. */
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
      // A stopped or refusing node also causes messages of the browser.
      const isNetwork = /ERR_|Failed to load resource/.test(message.text())
      if (message.type() === 'error' && !isNetwork) noted.faults.push(message.text())
    })
  })
  await context.addInitScript({ content: REPORTS_VIOLATIONS })
  return { context, noted }
}

/** Texts of the accessibility faults of a page. */
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
