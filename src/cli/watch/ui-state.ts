/** Owns the user interface state of the dashboard: pane, selection, filter, pause, theme. */
import type { WatchModel } from './model.js'
import type { ThemeName } from './theme.js'

/** Orders of the validators. */
export const SORTS = ['trouble', 'name', 'place'] as const
export type SortName = (typeof SORTS)[number]

/** Panes in the order of their keys. */
export const PANES = ['overview', 'validators', 'broadcast', 'lanes', 'transactions', 'events'] as const
export type PaneName = (typeof PANES)[number]

export interface Ui {
  readonly pane: PaneName
  /** Place of the chosen row among those that are shown. */
  readonly selected: number
  readonly filter: string
  /** The keys go into the filter. */
  readonly typing: boolean
  /** The model as of the pause; undefined: the screen follows the node. */
  readonly frozen: WatchModel | undefined
  readonly detail: boolean
  readonly help: boolean
  readonly theme: ThemeName
  /** Colours may be used at all. */
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

/** The same with a remark in the footer. */
export const say = (ui: Ui, message: string): Ui => ({ ...ui, message })
