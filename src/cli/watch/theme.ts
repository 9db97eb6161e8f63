/**
 * Owns themes of the dashboard: colours that are distinguishable for colour-blind users, no colours, and plain ASCII.
 */
import type { Line, Tone } from './text.js'

/** Names of the themes, in the order in which the key `t` cycles through them. */
export const THEMES = ['dark', 'light', 'plain'] as const
export type ThemeName = (typeof THEMES)[number]

export interface Theme {
  readonly name: ThemeName
  /** True to use ASCII characters only. */
  readonly ascii: boolean
}

const sgr = (codes: string): string => `\u001b[${codes}m`
const RESET = sgr('0')

/** Blue for good and orange for bad states, which is safe for red-green blindness. Red is used only with bold. */
const COLOURS: Readonly<Record<'dark' | 'light', Readonly<Record<Tone, string>>>> = {
  dark: {
    plain: '',
    strong: sgr('1'),
    dim: sgr('90'),
    accent: sgr('36'),
    good: sgr('94'),
    warn: sgr('38;5;214'),
    bad: sgr('1;91'),
    chosen: sgr('7'),
  },
  light: {
    plain: '',
    strong: sgr('1'),
    dim: sgr('38;5;243'),
    accent: sgr('34'),
    good: sgr('38;5;25'),
    warn: sgr('38;5;130'),
    bad: sgr('1;31'),
    chosen: sgr('7'),
  },
}

/** ASCII replacement of each drawing character, of equal width. */
const ASCII: Readonly<Record<string, string>> = {
  '┌': '+',
  '┐': '+',
  '└': '+',
  '┘': '+',
  '─': '-',
  '━': '=',
  '│': '|',
  '█': '#',
  '░': '.',
  '●': '*',
  '▸': '>',
  '✓': '#',
  '·': '.',
  '✗': 'x',
  '–': '-',
  '…': '~',
  '→': '>',
  '↑': '^',
  '↓': 'v',
}

const asciiOf = (text: string): string => text.replace(/[^\x20-\x7e]/g, (sign) => ASCII[sign] ?? '?')

/** Text of a line for a terminal with this theme. */
export function paint(one: Line, { name, ascii }: Theme, dimmed = false): string {
  if (name === 'plain') return one.map(({ text }) => (ascii ? asciiOf(text) : text)).join('')
  const colours = COLOURS[name]
  let painted = ''
  for (const { text, tone } of one) {
    if (text === '') continue
    const code = dimmed ? colours.dim : colours[tone]
    const shown = ascii ? asciiOf(text) : text
    painted += code === '' ? shown : `${code}${shown}${RESET}`
  }
  return painted
}
