/** Owns the pages of transactions. */
import { durationText } from '../../base/duration-text.js'
import type { InstanceView } from '../../features/contracts/schema/views.js'
import type { TransactionDetail, TransactionItem, TransactionView } from '../../features/explorer/schema/history.js'
import { grouped, visible, words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed, Table } from '../parts/table.js'
import {
  AccountLink,
  Amount,
  BlockLink,
  ErrorNotice,
  Fields,
  Id,
  Json,
  Notice,
  Outcome,
  Section,
  Text,
  Time,
} from '../parts/ui.js'
import { CallValues } from '../parts/values.js'
import { hrefOf } from '../route.js'
import { urlOf } from '../state/api.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'

type Item = JsonOf<TransactionItem>

export const transactionColumns: readonly Column<Item>[] = [
  { head: 'Transaction', cell: ({ hash }) => <Id of={hash} page="transaction" /> },
  { head: 'Outcome', cell: ({ rejection, trap }) => <Outcome rejection={rejection} trap={trap} /> },
  { head: 'Signed by', cell: ({ authority }) => <AccountLink id={authority} /> },
  { head: 'Block', right: true, cell: ({ height }) => <BlockLink height={height} /> },
  { head: 'Time', cell: ({ time_ms: ms }) => <Time ms={ms} /> },
  { head: 'Instructions', right: true, cell: ({ instruction_count: count }) => grouped(count) },
  { head: 'Units', right: true, cell: ({ teu }) => grouped(teu) },
  { head: 'Lane', right: true, cell: ({ lane }) => lane },
]

const OUTCOMES = [
  ['', 'All'],
  ['Approved', 'Approved'],
  ['Rejected', 'Rejected'],
] as const

export function Transactions() {
  const { cursor, outcome, kind } = place.value.query
  const asked = { cursor, outcome, kind, limit: 100 }
  const read = useRead<PageOf<Item>>('/v1/explorer/transactions', asked, cursor === undefined)
  return (
    <Section
      title="Transactions, newest first"
      aside={
        <nav class="choices" aria-label="Outcome">
          {OUTCOMES.map(([value, name]) => (
            <a
              key={name}
              href={hrefOf('transactions', '', { outcome: value, kind })}
              aria-current={(outcome ?? '') === value ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      }
    >
      <Listed
        page="transactions"
        name="Transactions"
        read={read}
        columns={transactionColumns}
        keyOf={({ hash }) => hash}
        empty="No transaction yet."
        isHistory
      />
    </Section>
  )
}

/** Summary of the last transactions. */
export function LatestTransactions({ limit }: { readonly limit: number }) {
  const read = useRead<PageOf<Item>>('/v1/explorer/transactions', { limit }, true)
  if (read.value === undefined)
    return read.error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={read.error} />
  return (
    <Table
      name="Latest transactions"
      columns={transactionColumns.slice(0, 4)}
      rows={read.value.items}
      keyOf={({ hash }) => hash}
      empty="No transaction yet."
    />
  )
}

/** Text of a transfer; undefined for another shape. */
function transferOf(body: unknown) {
  const { asset, to, amount } = (body ?? {}) as {
    asset?: { definition?: string; account?: string }
    to?: string
    amount?: string
  }
  if (asset?.definition === undefined || asset.account === undefined || to === undefined || amount === undefined)
    return undefined
  return (
    <p>
      <Amount value={amount} of={asset.definition} /> from <AccountLink id={asset.account} /> to <AccountLink id={to} />
    </p>
  )
}

interface CallBody {
  readonly address: string
  readonly entrypoint: string
  readonly input: string
  readonly gas_limit: number
  readonly attach: readonly { readonly definition: string; readonly amount: string }[]
}

/** Call of a contract with its arguments by name. */
function Call({ of: { address, entrypoint, input, gas_limit: limit, attach } }: { readonly of: CallBody }) {
  const { value } = useRead<JsonOf<InstanceView>>(`/v1/contracts/instances/${encodeURIComponent(address)}`)
  const params = value?.manifest.entrypoints.find(({ name }) => name === entrypoint)?.params
  return (
    <Fields
      of={[
        ['Contract', <AccountLink id={address} label={value?.alias ?? undefined} page="contract" key="contract" />],
        ['Entrypoint', <Text of={entrypoint} key="entrypoint" />],
        ['Arguments', <CallValues params={params} base64={input} key="arguments" />],
        ...attach.map(
          ({ definition, amount }) => ['With', <Amount value={amount} of={definition} key={definition} />] as const,
        ),
        ['Maximum', `${grouped(limit)} gas`],
      ]}
    />
  )
}

/** Instruction: its kind and fields. */
export function Instruction({ of }: { readonly of: unknown }) {
  const [kind, body] = typeof of === 'string' ? [of, undefined] : (Object.entries(of as object)[0] ?? ['', undefined])
  return (
    <li>
      <h3>{visible(words(kind.charAt(0).toLowerCase() + kind.slice(1)))}</h3>
      {kind === 'Transfer' ? transferOf(body) : null}
      {kind === 'ContractCall' ? <Call of={body as CallBody} /> : null}
      {body === undefined ? null : (
        <details open={kind !== 'Transfer' && kind !== 'ContractCall'}>
          <summary>Fields</summary>
          <Json of={body} />
        </details>
      )}
    </li>
  )
}

/** Gas of all calls of contracts in a transaction, and the code of the abort if one of them aborted. */
function calledFields({ outcome, trap }: JsonOf<TransactionDetail>) {
  const { Called: called } = outcome as { readonly Called?: Readonly<Record<string, number>> }
  if (!called) return []
  const gas = ['Gas', grouped(called['gas_used'] ?? 0)] as const
  return trap === 'aborted' ? [gas, ['Abort', called['abort_code']] as const] : [gas]
}

export function TransactionPage({ id }: { readonly id: string }) {
  const path = `/v1/explorer/transactions/${encodeURIComponent(id)}`
  const { value: one, error } = useRead<JsonOf<TransactionDetail>>(path, {}, true)
  // Nodes that executed the block store the reason of the rejection beside it.
  const why = useRead<JsonOf<TransactionView>>(
    one?.rejection ? `/v1/transactions/${encodeURIComponent(id)}` : undefined,
  ).value?.rejection_text
  if (one === undefined) {
    return error === undefined ? (
      <Notice>Reading…</Notice>
    ) : (
      <>
        <ErrorNotice error={error} />
        <Notice>A transaction appears here once it is in a block.</Notice>
      </>
    )
  }
  const entries = Object.keys(one.metadata)
  return (
    <>
      <Section title="Transaction">
        <Fields
          of={[
            ['Hash', <Id of={one.hash} whole key="hash" />],
            ['Outcome', <Outcome rejection={one.rejection} trap={one.trap} key="outcome" />],
            ['Why', why ? <Text of={why} key="why" /> : undefined],
            ...calledFields(one),
            ['Block', <BlockLink height={one.height} key="block" />],
            ['Index in the block', one.index],
            ['Time', <Time ms={one.time_ms} key="time" />],
            ['Signed by', <AccountLink id={one.authority} key="authority" />],
            ['Created', <Time ms={one.created_at_ms} key="created" />],
            ['Time to live', durationText(one.ttl_ms)],
            ['Lane', `${one.lane}, dataspace ${one.dataspace}`],
            ['Execution units', grouped(one.teu)],
            ['Signatures', grouped(one.signatures.length)],
          ]}
        />
      </Section>
      <Section title="Instructions">
        <ol class="instructions">
          {one.instructions.map((instruction, at) => (
            <Instruction key={at} of={instruction} />
          ))}
        </ol>
      </Section>
      {entries.length === 0 ? null : (
        <Section title="Metadata">
          <Notice>Free text of the signer; it is not verified.</Notice>
          <Json of={one.metadata} />
        </Section>
      )}
      <Section title="Signed with">
        <ul class="keys">
          {one.signatures.map(({ public_key: key }) => (
            <li key={key}>
              <Text of={String(key)} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Proof">
        <p>The outcome of this transaction can be verified without trusting the node, from the genesis hash alone:</p>
        <pre>
          {`curl -s '${urlOf(`/v1/ledger/block/${one.height}/proof/${one.hash}`)}' > proof.json\ncauseway proof verify proof.json --genesis-hash HASH`}
        </pre>
      </Section>
    </>
  )
}
