/** Owns the pages of blocks. */
import type { TransactionItem } from '../../features/explorer/schema/history.js'
import { bytesText, grouped, transactionsText } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed, ReadTable } from '../parts/table.js'
import { BlockLink, ErrorNotice, Fields, Id, Link, Notice, Section, Time, ValidatorId } from '../parts/ui.js'
import { urlOf } from '../state/api.js'
import { type Block, live } from '../state/live.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'
import { transactionColumns } from './transactions.js'

const LIVE_ROWS = 100
const DRAW_MS = 500
const GENESIS = 1

export const blockColumns: readonly Column<Block>[] = [
  { head: 'Height', cell: ({ height }) => <BlockLink height={height} /> },
  { head: 'Time', cell: ({ time_ms: ms }) => <Time ms={ms} /> },
  { head: 'Transactions', right: true, cell: ({ transactions }) => grouped(transactions) },
  { head: 'Rejected', right: true, cell: ({ rejected }) => (rejected ? grouped(rejected) : '–') },
  { head: 'Payload', right: true, cell: ({ payload_bytes: bytes }) => bytesText(bytes) },
  { head: 'View', right: true, cell: ({ view }) => view ?? '–' },
  {
    head: 'Proposer',
    cell: ({ height, proposer }) => (height === GENESIS ? 'genesis' : <ValidatorId of={proposer} />),
  },
  { head: 'Hash', cell: ({ hash }) => <Id of={hash} /> },
]

export function Blocks() {
  const { cursor } = place.value.query
  const { blocks } = useStore(live, DRAW_MS)
  const older = useRead<PageOf<Block>>(cursor === undefined ? undefined : '/v1/explorer/blocks', { cursor, limit: 100 })
  const first = useRead<PageOf<Block>>(cursor === undefined ? '/v1/explorer/blocks' : undefined, { limit: LIVE_ROWS })
  const read = cursor === undefined ? first : older
  // The first page is updated by the stream; its cursor continues after the initial content.
  const shown =
    cursor === undefined && read.value !== undefined && blocks.length > 0
      ? { ...read, value: { ...read.value, items: blocks.slice(0, LIVE_ROWS) } }
      : read
  return (
    <Section title="Blocks, newest first">
      <Listed
        page="blocks"
        name="Blocks"
        read={shown}
        columns={blockColumns}
        keyOf={({ height }) => height}
        isHistory
      />
    </Section>
  )
}

export function BlockPage({ id }: { readonly id: string }) {
  const path = `/v1/explorer/blocks/${encodeURIComponent(id)}`
  const { value: block, error } = useRead<Block>(path)
  const list = useRead<PageOf<JsonOf<TransactionItem>>>(block === undefined ? undefined : '/v1/explorer/transactions', {
    block: block?.height,
    limit: 200,
  })
  if (block === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  const { height } = block
  return (
    <>
      <Section
        title={`Block ${grouped(height)}`}
        aside={
          <nav class="pager" aria-label="Neighbours">
            {height > GENESIS ? (
              <Link page="block" id={String(height - 1)}>
                Parent
              </Link>
            ) : null}
            <Link page="block" id={String(height + 1)}>
              Next
            </Link>
          </nav>
        }
      >
        <Fields
          of={[
            ['Time', <Time ms={block.time_ms} key="time" />],
            ['Hash', <Id of={block.hash} whole key="hash" />],
            ['Parent', height === GENESIS ? undefined : <Id of={block.parent_hash} page="block" key="parent" />],
            ['State root', <Id of={block.state_root} whole key="root" />],
            ['Proposer', height === GENESIS ? 'genesis' : <ValidatorId of={block.proposer} whole key="proposer" />],
            ['Committed in view', block.view],
            ['Transactions', transactionsText(block.transactions, block.rejected)],
            ['Payload', bytesText(block.payload_bytes)],
          ]}
        />
      </Section>
      <Section title="Transactions">
        <ReadTable
          name={`Transactions of block ${height}`}
          read={list}
          columns={transactionColumns}
          keyOf={({ hash }) => hash}
          empty="A block without transactions."
        />
        {list.value?.next_cursor ? <Notice>The first 200 are shown; the list of transactions has all.</Notice> : null}
      </Section>
      <Section title="Proof">
        <p>
          This page shows data as reported by the node. That the block is final can be verified without trusting the
          node, from the genesis hash alone:
        </p>
        <pre>
          {`curl -s '${urlOf(`/v1/bridge/finality/${height}`)}' > finality.json\ncauseway proof verify finality.json --genesis-hash HASH`}
        </pre>
      </Section>
    </>
  )
}
