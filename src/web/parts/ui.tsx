/** Owns small parts of pages: links, ids, amounts, times, badges. Every text is a text node. */
import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { withDigits } from '../../base/digits.js'
import { shortId } from '../../base/ids.js'
import { currencyDigits, grouped, timeText, visible, words } from '../format.js'
import { hrefOf, type PageName } from '../route.js'
import { errorText } from '../state/api.js'
import { digits, wantDigits } from '../state/digits.js'
import { names, wantName } from '../state/names.js'
import { useStore } from '../state/store.js'
import { validators, wantValidators } from '../state/validators.js'

/** Minimum interval between renders for arriving names, in ms. */
const DRAW_MS = 200

/** Untrusted text: isolated from its surroundings, with invisible characters made visible. */
export const Text = ({ of }: { readonly of: string }): JSX.Element => <bdi>{visible(of)}</bdi>

interface LinkProps {
  readonly page: PageName
  readonly id?: string
  readonly children: ComponentChildren
  readonly title?: string
}
export const Link = ({ page, id = '', children, title }: LinkProps): JSX.Element => (
  <a href={hrefOf(page, id)} title={title}>
    {children}
  </a>
)

/** Shortened id; its title has the full one. */
export const Id = ({
  of,
  page,
  whole,
}: {
  readonly of: string
  readonly page?: PageName
  readonly whole?: boolean
}) => {
  const text = visible(whole === true ? of : shortId(of))
  const shown = <code title={visible(of)}>{text}</code>
  return page === undefined ? (
    shown
  ) : (
    <Link page={page} id={of}>
      {shown}
    </Link>
  )
}

/** Validator by its name, if known, and its key. */
export function ValidatorId({ of, whole = false }: { readonly of: string; readonly whole?: boolean }) {
  const name = useStore(validators, DRAW_MS).get(of)
  useEffect(() => void wantValidators(), [of])
  const key = <Id of={of} whole={whole} />
  return name === undefined ? (
    key
  ) : (
    <>
      <Text of={name} /> ({key})
    </>
  )
}

/** Account by its alias, or by its address without one; its title has the full address. */
export function AccountLink({
  id,
  label,
  page = 'account',
}: {
  readonly id: string
  readonly label?: string | undefined
  readonly page?: PageName
}) {
  const known = useStore(names, DRAW_MS).get(id)
  useEffect(() => {
    if (label === undefined) wantName(id)
  }, [id, label])
  const name = label ?? known
  return name ? (
    <Link page={page} id={id} title={id}>
      <Text of={name} />
    </Link>
  ) : (
    <Id of={id} page={page} />
  )
}

export const DefinitionLink = ({ id }: { readonly id: string }) => (
  <Link page="asset" id={id}>
    <Text of={id} />
  </Link>
)

export const BlockLink = ({ height }: { readonly height: number }) => (
  <Link page="block" id={String(height)}>
    {grouped(height)}
  </Link>
)

/** Amount with the digits of its asset or currency; `of`: asset name shown after it. */
export function Amount({
  value,
  of,
  asset = of,
  currency,
}: {
  readonly value: string
  readonly of?: string
  readonly asset?: string | undefined
  readonly currency?: string | undefined
}) {
  const known = useStore(digits, DRAW_MS).get(asset ?? '')
  useEffect(() => {
    if (asset !== undefined) wantDigits(asset)
  }, [asset])
  return (
    <span class="amount">
      {grouped(withDigits(value, known ?? (currency === undefined ? 0 : currencyDigits(currency))))}
      {of === undefined ? null : (
        <>
          {' '}
          <DefinitionLink id={of} />
        </>
      )}
    </span>
  )
}

/** Time in ms since the Unix epoch. */
export const Time = ({ ms }: { readonly ms: number }) => {
  const iso = new Date(ms).toISOString()
  return (
    <time dateTime={iso} title={iso}>
      {timeText(ms, Date.now())}
    </time>
  )
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain'
/** Label with a mark, so that colour is not the only information. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>
    <span aria-hidden="true">{MARKS[tone]}</span>
    {children}
  </span>
)
const MARKS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', warn: '!', plain: '·' }

/** Outcome of a transaction, by its JSON; for contracts with the trap. `success`: label without a rejection. */
export const Outcome = ({
  rejection,
  trap,
  success = 'approved',
}: {
  readonly rejection: string | null | undefined
  readonly trap?: string | null | undefined
  readonly success?: 'approved' | 'settled'
}) =>
  rejection === null || rejection === undefined ? (
    <Badge tone="good">{success}</Badge>
  ) : (
    <Badge tone="bad">
      <Text of={trap ? `trap ${words(trap)}` : rejection} />
    </Badge>
  )

/** Fields of a record; absent ones are omitted. */
export function Fields({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="fields">
      {of
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

export const Notice = ({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone
  readonly children: ComponentChildren
}) => <p class={`notice ${tone}`}>{children}</p>

export const ErrorNotice = ({ error }: { readonly error: unknown }) =>
  error === undefined ? null : <Notice tone="warn">{visible(errorText(error))}</Notice>

/** Part of a page with its own heading. */
export const Section = ({
  title,
  children,
  aside,
}: {
  readonly title: string
  readonly children: ComponentChildren
  readonly aside?: ComponentChildren
}) => (
  <section class="card">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

export const Tile = ({
  name,
  children,
  note,
}: {
  readonly name: string
  readonly children: ComponentChildren
  readonly note?: ComponentChildren
}) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd>
      <strong>{children}</strong>
      {note === undefined ? null : <small>{note}</small>}
    </dd>
  </div>
)
export const Tiles = ({ children, label }: { readonly children: ComponentChildren; readonly label: string }) => (
  <dl class="tiles" aria-label={label}>
    {children}
  </dl>
)

/** JSON of a record without a view of its own. */
export const Json = ({ of }: { readonly of: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <pre tabIndex={0}>{lines(JSON.stringify(of, null, 2))}</pre>
)
/** Text with lines and indents kept, and other invisible characters made visible. */
const lines = (text: string): string => text.split('\n').map(visible).join('\n')

/** Page whose script is loaded when it is shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props: P) {
    const [{ Page, isLost }, set] = useState<{ readonly Page?: ComponentType<P>; readonly isLost?: true }>({})
    useEffect(() => {
      load().then(
        (loaded) => set({ Page: loaded }),
        () => set({ isLost: true }),
      )
    }, [])
    if (Page !== undefined) return <Page {...props} />
    return <Notice>{isLost === true ? 'The node does not respond. Load the page again.' : 'Reading…'}</Notice>
  }
}
