/** Owns key bindings of the dashboard. */
import { shortId } from '../../base/ids.js'
import type { WatchModel } from './model.js'
import { type PaneRow, shownRows } from './rows.js'
import { THEMES } from './theme.js'
import { PANES, type PaneName, SORTS, type Ui, withMessage } from './ui-state.js'

/** Maximum length of the filter, in characters. */
const FILTER_MAX = 60

/** Key from the screen. */
export interface Key {
  /** Typed characters; empty for named keys. */
  readonly input: string
  readonly name?: 'up' | 'down' | 'enter' | 'escape' | 'tab' | 'backspace' | 'pageUp' | 'pageDown'
  readonly ctrl?: boolean
  readonly shift?: boolean
}

/** Side effect of a key. */
export type Effect =
  | { readonly kind: 'quit' }
  | { readonly kind: 'next' }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'export'; readonly model: WatchModel }

export interface Pressed {
  readonly ui: Ui
  readonly effect?: Effect
}

/** Number of rows that a page key moves. */
const PAGE_ROWS = 10

/** Displayed model: at the time of the pause, or the latest. */
export const shownModel = (ui: Ui, model: WatchModel): WatchModel => ui.frozen ?? model

/** Apply a key. */
export function press(before: Ui, key: Key, latest: WatchModel): Pressed {
  const ui: Ui = { ...before, message: '' }
  if (key.ctrl === true) return key.input === 'c' ? { ui, effect: { kind: 'quit' } } : { ui: before }
  if (ui.typing) return { ui: typed(ui, key) }
  const model = shownModel(ui, latest)
  switch (key.name) {
    case 'escape':
      return { ui: back(ui) }
    case 'tab':
      return { ui: toPane(ui, PANES[(PANES.indexOf(ui.pane) + (key.shift === true ? 5 : 1)) % 6]!) }
    case 'enter':
      return {
        ui: chosen(ui, model) === undefined ? withMessage(ui, 'nothing is selected') : { ...ui, detail: !ui.detail },
      }
    case 'up':
      return { ui: move(ui, model, -1) }
    case 'down':
      return { ui: move(ui, model, 1) }
    case 'pageUp':
      return { ui: move(ui, model, -PAGE_ROWS) }
    case 'pageDown':
      return { ui: move(ui, model, PAGE_ROWS) }
    default:
      return letter(ui, key.input, model, latest)
  }
}

function letter(ui: Ui, input: string, model: WatchModel, latest: WatchModel): Pressed {
  switch (input) {
    case 'q':
      return { ui, effect: { kind: 'quit' } }
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
      return { ui: toPane(ui, PANES[Number(input) - 1]!) }
    case 'j':
      return { ui: move(ui, model, 1) }
    case 'k':
      return { ui: move(ui, model, -1) }
    case 'g':
      return { ui: { ...ui, selected: 0 } }
    case 'G':
      return { ui: { ...ui, selected: Math.max(0, shownRows(model, ui).length - 1) } }
    case '/':
      return { ui: { ...ui, typing: true, help: false, detail: false } }
    case 'p':
      return { ui: { ...ui, frozen: ui.frozen === undefined ? latest : undefined } }
    case '?':
      return { ui: { ...ui, help: !ui.help } }
    case 't': {
      if (!ui.colours) return { ui: withMessage(ui, 'colours are off: NO_COLOR or --no-color is set') }
      const theme = THEMES[(THEMES.indexOf(ui.theme) + 1) % THEMES.length]!
      return { ui: withMessage({ ...ui, theme }, `theme ${theme}`) }
    }
    case 's': {
      const sort = SORTS[(SORTS.indexOf(ui.sort) + 1) % SORTS.length]!
      return { ui: withMessage({ ...ui, sort }, `validators by ${sort}`) }
    }
    case 'c': {
      const text = chosen(ui, model)?.copy
      if (text === undefined) return { ui: withMessage(ui, 'the selected row has no hash to copy') }
      return { ui: withMessage(ui, `sent to the clipboard: ${shortId(text)}`), effect: { kind: 'copy', text } }
    }
    case 'e':
      return { ui, effect: { kind: 'export', model } }
    case 'n':
      return { ui, effect: { kind: 'next' } }
    default:
      return { ui }
  }
}

const toPane = (ui: Ui, pane: PaneName): Ui => ({
  ...ui,
  pane,
  selected: 0,
  filter: '',
  detail: false,
  help: false,
})

/** Close one layer for the escape key: help, detail, filter, pane. */
function back(ui: Ui): Ui {
  if (ui.help) return { ...ui, help: false }
  if (ui.detail) return { ...ui, detail: false }
  if (ui.filter !== '') return { ...ui, filter: '', selected: 0 }
  return toPane(ui, 'overview')
}

function typed(ui: Ui, key: Key): Ui {
  if (key.name === 'enter') return { ...ui, typing: false }
  if (key.name === 'escape') return { ...ui, typing: false, filter: '', selected: 0 }
  if (key.name === 'backspace') return { ...ui, filter: ui.filter.slice(0, -1), selected: 0 }
  const text = key.input.replace(/[^\x20-\x7e]/g, '')
  return text === '' ? ui : { ...ui, filter: (ui.filter + text).slice(0, FILTER_MAX), selected: 0 }
}

function move(ui: Ui, model: WatchModel, by: number): Ui {
  const last = shownRows(model, ui).length - 1
  return { ...ui, selected: Math.max(0, Math.min(last, Math.min(ui.selected, last) + by)) }
}

/** Selected row of the pane. */
export const chosen = (ui: Ui, model: WatchModel): PaneRow | undefined => {
  const rows = shownRows(model, ui)
  return rows[Math.min(ui.selected, rows.length - 1)]
}
