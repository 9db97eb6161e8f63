/** Owns the screen: Ink draws the regions of a frame, and keys are passed to the keyboard reducer. */
import { Box, type Key as InkKey, render, Text, useInput } from 'ink'
import { createElement, memo, type ReactElement, useEffect, useState } from 'react'
import { frame } from './frame.js'
import type { WatchModel } from './model.js'
import { Surface } from './surface.js'
import { paint, type Theme } from './theme.js'
import { type Key, shownModel } from './ui.js'
import type { Ui } from './ui-state.js'

/** Content of the screen, and its key handler. */
export interface ScreenSource {
  readonly model: () => WatchModel
  readonly ui: () => Ui
  readonly press: (key: Key) => void
  /** Subscribe to changes of the display; returns the unsubscribe function. */
  readonly onChange: (listener: () => void) => () => void
}

export interface ScreenOptions {
  readonly stdout: NodeJS.WriteStream
  readonly stdin: NodeJS.ReadStream
  readonly ascii: boolean
}

/** Open screen. */
export interface Screen {
  /** Remove the frame, and restore keyboard and terminal. */
  close(): void
}

const RegionText = memo(({ text }: { readonly text: string }) => createElement(Text, { wrap: 'truncate' }, text))

const regionOf = (name: string, text: string): ReactElement => createElement(RegionText, { key: name, text })

/** Open the screen and start to draw. */
export function openScreen(source: ScreenSource, options: ScreenOptions): Screen {
  const { stdout, stdin } = options
  const surface = new Surface(stdout)
  surface.enter()
  // In its debug mode Ink passes on whole frames; the surface writes only changed rows.
  const app = render(createElement(App, { source, options, surface }), {
    stdout: surface.stream(),
    stdin,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  })
  return {
    close: () => {
      surface.leave()
      app.unmount()
      app.cleanup()
    },
  }
}

interface Props {
  readonly source: ScreenSource
  readonly options: ScreenOptions
  readonly surface: Surface
}

const sizeOf = ({ columns, rows }: NodeJS.WriteStream) => ({ columns: columns || 80, rows: rows || 24 })

function App({ source, options, surface }: Props): ReactElement {
  const { stdout, ascii } = options
  const [size, setSize] = useState(sizeOf(stdout))
  const [, redraw] = useState(0)
  useEffect(() => {
    const resized = (): void => {
      surface.invalidate()
      setSize(sizeOf(stdout))
    }
    stdout.on('resize', resized)
    const stop = source.onChange(() => redraw((number) => number + 1))
    return () => {
      stdout.off('resize', resized)
      stop()
    }
  }, [source, stdout, surface])
  useInput((input, key) => {
    for (const one of keysOf(input, key)) source.press(one)
  })
  const ui = source.ui()
  const latest = source.model()
  const model = shownModel(ui, latest)
  const theme: Theme = { name: ui.theme, ascii }
  const dimmed = latest.connection.state === 'lost'
  const regions = frame(model, ui, size, { ascii }).map(({ name, lines }) =>
    regionOf(name, lines.map((one) => paint(one, theme, dimmed && name !== 'header' && name !== 'footer')).join('\n')),
  )
  return createElement(Box, { flexDirection: 'column', width: size.columns, height: size.rows }, regions)
}

/** Keys that Ink does not name if they arrive together with others. */
const NAMED: Readonly<Record<string, Pick<Key, 'name'>>> = {
  '\r': { name: 'enter' },
  '\t': { name: 'tab' },
  '\u007f': { name: 'backspace' },
  '\u001b': { name: 'escape' },
}

/** Keys of one input: pasted or fast typed characters arrive together. */
function keysOf(input: string, key: InkKey): readonly Key[] {
  const name = nameOf(key)
  if (name !== undefined) return [{ input: '', name, shift: key.shift }]
  return [...input].map((sign) => ({ input: sign, ctrl: key.ctrl, ...NAMED[sign] }))
}

function nameOf(key: InkKey): Key['name'] {
  if (key.upArrow) return 'up'
  if (key.downArrow) return 'down'
  if (key.return) return 'enter'
  if (key.escape) return 'escape'
  if (key.tab) return 'tab'
  if (key.backspace || key.delete) return 'backspace'
  if (key.pageUp) return 'pageUp'
  return key.pageDown ? 'pageDown' : undefined
}
