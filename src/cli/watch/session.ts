/** Owns one run of the dashboard: the model, its feed, and the screen or lines. */
import { writeFile } from 'node:fs/promises'
import { errorMessage } from '../../base/thrown.js'
import type { CausewayClient } from '../../client/index.js'
import { OWNER_ONLY } from '../../files/write-file.js'
import type { NodeIdentity } from '../gateway/node-names.js'
import { pollOnce, runFeed } from './feed.js'
import { frame } from './frame.js'
import { eventsSince, lineOf, Sentences, standingLine, standingSentence } from './lines.js'
import { newModel, type WatchInput, type WatchModel } from './model.js'
import type { Looked } from './nodes.js'
import { reduce } from './reduce.js'
import { eventJson, snapshotJson } from './snapshot.js'
import { paint, type ThemeName } from './theme.js'
import { type Effect, type Key, press } from './ui.js'
import { newUi, type Ui, withMessage } from './ui-state.js'

/** Dependencies of a run. */
export interface SessionOptions {
  readonly client: CausewayClient
  readonly node: NodeIdentity
  readonly allEvents: boolean
  readonly ascii: boolean
  readonly fps: number
  /** True if colours may be used. */
  readonly colours: boolean
  readonly theme: ThemeName
  readonly pollMs?: number
  /** Next node to watch, or the reason why there is none. */
  readonly next?: () => Promise<Looked | string>
}

/** Exit codes of signals (docs/design/cli.md 3). */
const EXIT_OF = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
/** Maximum interval between redraws without news, in ms: displayed ages advance. */
const IDLE_MS = 1_000
/** Time for streams to end after a signal, in ms. */
const GRACE_MS = 300

/** Model with its inputs and listeners. */
class Store {
  ui: Ui
  private readonly listeners = new Set<() => void>()

  constructor(
    public model: WatchModel,
    options: SessionOptions,
  ) {
    this.ui = newUi(options.colours ? options.theme : 'plain', options.colours)
  }

  /** True if there was an input since the last redraw. */
  dirty = true

  readonly apply = (input: WatchInput): void => {
    this.model = reduce(this.model, input)
    this.dirty = true
  }

  readonly onChange = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  notify(): void {
    this.dirty = false
    for (const listener of this.listeners) listener()
  }
}

/** Wait for a signal or the end of the work; returns the exit code. */
async function untilSignal(work: (end: (code: number) => void, signal: AbortSignal) => Promise<void>): Promise<number> {
  const stop = new AbortController()
  let exit = 0
  const end = (code: number): void => {
    if (stop.signal.aborted) return
    exit = code
    stop.abort()
  }
  const handlers = Object.entries(EXIT_OF).map(([name, code]) => [name as NodeJS.Signals, () => end(code)] as const)
  for (const [name, handler] of handlers) process.on(name, handler)
  try {
    await work(end, stop.signal)
  } finally {
    for (const [name, handler] of handlers) process.off(name, handler)
  }
  return exit
}

/** Resolves shortly after the signal: a stream that is connecting may take seconds to end. */
const graceAfter = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => setTimeout(resolve, GRACE_MS), { once: true })
  })

/** Run the screen until the user quits; returns the exit code. */
export function runScreen(
  options: SessionOptions,
  { stdout, stdin }: { readonly stdout: NodeJS.WriteStream; readonly stdin: NodeJS.ReadStream },
): Promise<number> {
  return untilSignal(async (end, signal) => {
    const { openScreen } = await import('./app.js')
    const store = new Store(newModel(options.node, Date.now()), options)
    let looked: Looked = options
    let feed = new AbortController()
    let switching = false
    const toNext = async (): Promise<void> => {
      if (switching || options.next === undefined) return
      switching = true
      const found = await options.next()
      switching = false
      if (typeof found === 'string') store.ui = withMessage(store.ui, found)
      else {
        looked = found
        store.model = newModel(found.node, Date.now())
        store.ui = withMessage(
          { ...newUi(store.ui.theme, store.ui.colours, store.ui.pane), sort: store.ui.sort },
          found.node.gateway,
        )
        feed.abort()
      }
      store.notify()
    }
    const act = (effect: Effect): void => {
      if (effect.kind === 'copy') stdout.write(`\u001b]52;c;${Buffer.from(effect.text).toString('base64')}\u0007`)
      else if (effect.kind === 'export') void exported(store, effect.model)
      else if (effect.kind === 'next') void toNext()
    }
    const onKey = (key: Key): void => {
      const pressed = press(store.ui, key, store.model)
      store.ui = pressed.ui
      if (pressed.effect?.kind === 'quit') end(key.ctrl === true ? EXIT_OF.SIGINT : 0)
      else if (pressed.effect !== undefined) act(pressed.effect)
      store.notify()
    }
    const screen = openScreen(
      { model: () => store.model, ui: () => store.ui, press: onKey, onChange: store.onChange },
      { stdout, stdin, ascii: options.ascii },
    )
    // At once: pending reads take time, and a frozen screen must not be shown meanwhile.
    signal.addEventListener('abort', () => screen.close(), { once: true })
    let drawnMs = 0
    const clock = setInterval(() => {
      const nowMs = Date.now()
      if (!store.dirty && nowMs - drawnMs < IDLE_MS) return
      drawnMs = nowMs
      store.apply({ kind: 'tick', atMs: nowMs })
      store.notify()
    }, 1_000 / options.fps)
    signal.addEventListener('abort', () => feed.abort(), { once: true })
    try {
      while (!signal.aborted) {
        const own = new AbortController()
        feed = own
        // Inputs from a node that is no longer watched are dropped.
        const apply = (input: WatchInput): void => void (own.signal.aborted || store.apply(input))
        await Promise.race([runFeed({ ...options, ...looked, apply, signal: own.signal }), graceAfter(own.signal)])
      }
    } finally {
      clearInterval(clock)
      screen.close()
    }
  })
}

async function exported(store: Store, model: WatchModel): Promise<void> {
  const file = `causeway-watch-${new Date(model.nowMs).toISOString().replaceAll(':', '-')}.json`
  try {
    await writeFile(file, `${JSON.stringify(snapshotJson(model), null, 2)}\n`, { flag: 'wx', mode: OWNER_ONLY })
    store.ui = withMessage(store.ui, `written to ${file}`)
  } catch (error) {
    store.ui = withMessage(store.ui, `not written: ${errorMessage(error)}`)
  }
  store.notify()
}

/** Options of line output. */
export interface LineOptions {
  readonly style: 'lines' | 'json' | 'sentences'
  readonly write: (line: string) => void
  /** Number of events after which it ends. */
  readonly limit?: number | undefined
}

/** One line per event until a signal or the limit; returns the exit code. */
export function runLines(options: SessionOptions, { style, write, limit }: LineOptions): Promise<number> {
  return untilSignal(async (end, signal) => {
    const store = new Store(newModel(options.node, Date.now()), options)
    const sentences = new Sentences()
    let seen = 0
    let left = limit ?? Number.POSITIVE_INFINITY
    const print = (): void => {
      if (signal.aborted) return
      store.apply({ kind: 'tick', atMs: Date.now() })
      const fresh = eventsSince(store.model, seen).slice(0, left)
      seen = store.model.eventCount
      left -= fresh.length
      if (style === 'sentences') for (const text of sentences.take(fresh, store.model.nowMs)) write(text)
      else for (const event of fresh) write(style === 'json' ? JSON.stringify(eventJson(event)) : lineOf(event))
      if (left <= 0) end(0)
    }
    await pollOnce({ client: options.client, apply: store.apply })
    if (style === 'json') write(JSON.stringify({ kind: 'node', ...snapshotJson(store.model), events: undefined }))
    else write(style === 'lines' ? standingLine(store.model) : standingSentence(store.model))
    const clock = setInterval(print, 1_000 / options.fps)
    try {
      await Promise.race([runFeed({ ...options, apply: store.apply, signal }), graceAfter(signal)])
    } finally {
      clearInterval(clock)
    }
  })
}

/** Poll the node once: returns its JSON, and the frame as text of this size. */
export async function lookOnce(
  options: SessionOptions,
  size: { readonly columns: number; readonly rows: number },
): Promise<{ readonly json: Record<string, unknown>; readonly text: string; readonly model: WatchModel }> {
  const store = new Store(newModel(options.node, Date.now()), options)
  await pollOnce({ client: options.client, apply: store.apply })
  const theme = { name: store.ui.theme, ascii: options.ascii }
  const lines = frame(store.model, store.ui, size, options).flatMap((one) => one.lines)
  // The last line lists the keys, which do not apply.
  const text = lines.slice(0, -1).map((one) => paint(one, theme).trimEnd())
  return { json: snapshotJson(store.model), text: text.join('\n'), model: store.model }
}
