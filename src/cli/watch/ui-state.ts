/** Owns the user interface state of the dashboard: pane, selection, filter, pause, theme. */
import type { WatchModel } from './model.js'
import type { ThemeName } from './theme.js'

/** Sort orders of the validators. */
export const SORTS = ['trouble', 'name', 'place'] as const
export type SortName = (typeof SORTS)[number]

/** Panes in the order of their keys. */
export const PANES = ['overview', 'validators', 'broadcast', 'lanes', 'transactions', 'events'] as const
export type PaneName = (typeof PANES)[number]

export interface Ui {
  readonly pane: PaneName
  /** Index of the selected row among the shown ones. */
  readonly selected: number
  readonly filter: string
  /** True while keys edit the filter. */
  readonly typing: boolean
  /** Model at the time of the pause; undefined: the screen follows the node. */
  readonly frozen: WatchModel | undefined
  readonly detail: boolean
  readonly help: boolean
  readonly theme: ThemeName
  /** True if colours may be used. */
  readonly colours: boolean
  readonly sort: SortName
  /** Message in the footer until the next key. */
  readonly message: string
}

/** Initial UI state. */
export const newUi = (theme: ThemeName, colours = theme !== 'plain', pane: PaneName = 'overview'): Ui => ({
  pane,
  selected: 0,
  filter: '',
  typing: false,
  frozen: undefined,
  detail: false,
  help: false,
  theme,
  colours,
  sort: 'trouble',
  message: '',
})

/** State with a message in the footer. */
export const withMessage = (ui: Ui, message: string): Ui => ({ ...ui, message })
