/** Owns opening a page in the browser of this machine. */
import { spawn } from 'node:child_process'

/** Programs that open a URL, by platform; all run without a shell. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const OTHERS: readonly [string, ...string[]] = ['xdg-open']

/**
 * True for environment variables withheld from the browser process, which would keep them while it runs: passphrases,
 * tokens, database passwords.
 */
const isOurs = (name: string): boolean => name.startsWith('CAUSEWAY_')

/** Open a URL in a browser; false if none is available. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, ...words] = OPENERS[process.platform] ?? OTHERS
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
  return new Promise((resolve) => {
    const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true, env })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
