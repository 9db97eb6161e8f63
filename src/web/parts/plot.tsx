/** Owns plots: lines over time, each also as a table. */
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { definedFields } from '../../base/defined-fields.js'
import { compact, grouped, timeText } from '../format.js'
import { Table } from './table.js'

/** Maximum points of one plot. */
const POINTS_MAX = 600
const HEIGHT = 160
const schemes = window.matchMedia('(prefers-color-scheme: dark)')

export interface Point {
  /** Time in ms since the Unix epoch, or a height. */
  readonly at: number
  readonly value: number
}

interface PlotProps {
  readonly name: string
  readonly points: readonly Point[]
  /** Format of a value. */
  readonly write?: ((value: number) => string) | undefined
  /** Dimension of the horizontal axis. */
  readonly over?: 'time' | 'height'
  /** True to draw columns instead of a line, for sums over a period. */
  readonly columns?: boolean
  /** Displayed range; default: the range of the points. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

type Look = Pick<PlotProps, 'from' | 'to'> & {
  readonly write: NonNullable<PlotProps['write']>
  readonly over: NonNullable<PlotProps['over']>
  readonly columns: boolean
}

const DAY_MS = 86_400_000
const two = (value: number): string => String(value).padStart(2, '0')

/** Marks of a time axis: clock times, or days for large steps. */
function timeMarks(marks: readonly number[]): string[] {
  const step = (marks[1] ?? 0) - (marks[0] ?? 0)
  return marks.map((ms) => {
    const date = new Date(ms)
    if (step >= DAY_MS) return `${two(date.getMonth() + 1)}-${two(date.getDate())}`
    const clock = `${two(date.getHours())}:${two(date.getMinutes())}`
    return step < 60_000 ? `${clock}:${two(date.getSeconds())}` : clock
  })
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

function optionsOf(width: number, { write, over, columns, from, to }: Look): uPlot.Options {
  const line = colour('--plot')
  const axis = { stroke: colour('--quiet'), font: '11px system-ui', ticks: { show: false } }
  const grid = { stroke: colour('--grid'), width: 1 }
  const range: [number, number] | undefined = from === undefined || to === undefined ? undefined : [from, to]
  const bars = columns ? uPlot.paths.bars?.({ size: [0.7, 18] }) : undefined
  const marks = over === 'time' ? timeMarks : (heights: readonly number[]) => heights.map(grouped)
  return {
    width,
    height: HEIGHT,
    ms: 1,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    axes: [
      { ...axis, space: 80, size: 24, grid: { show: false }, values: (_, values) => marks(values) },
      { ...axis, size: 52, space: 30, grid, values: (_, values) => values.map(write) },
    ],
    scales: {
      x: {
        time: over === 'time',
        ...definedFields({ range }),
      },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    series: [
      {},
      {
        stroke: line,
        fill: columns ? line : colour('--plot-fill'),
        width: columns ? 0 : 1.5,
        points: { show: false },
        ...definedFields({ paths: bars }),
      },
    ],
  }
}

const dataOf = (points: readonly Point[]): uPlot.AlignedData => [
  points.map(({ at }) => at),
  points.map(({ value }) => value),
]

/** Plot of a figure over time or over heights, ascending. */
export function Plot({ name, points: all, write = compact, over = 'time', columns = false, from, to }: PlotProps) {
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const [isOpen, open] = useState(false)
  const points = all.slice(-POINTS_MAX)
  // Appearance only; the effect below sets the data.
  useEffect(() => {
    const element = holder.current
    if (element === null) return undefined
    const make = (): void => {
      plot.current?.destroy()
      const options = optionsOf(element.clientWidth || 300, { write, over, columns, from, to })
      plot.current = new uPlot(options, dataOf(points), element)
    }
    const sized = new ResizeObserver(() => {
      const width = element.clientWidth
      if (width > 0 && width !== plot.current?.width) plot.current?.setSize({ width, height: HEIGHT })
    })
    make()
    sized.observe(element)
    schemes.addEventListener('change', make)
    return () => {
      sized.disconnect()
      schemes.removeEventListener('change', make)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [columns, over, write, from, to])
  const newest = points.at(-1)
  // Redrawn for changed points, not for each render of the page.
  useEffect(() => plot.current?.setData(dataOf(points)), [all])
  const summary = newest === undefined ? 'no points yet' : `${points.length} points, the last ${write(newest.value)}`
  return (
    <figure class="plot">
      <figcaption>
        {name}
        {newest === undefined ? null : <b>{write(newest.value)}</b>}
      </figcaption>
      <div ref={holder} role="img" aria-label={`${name}: ${summary}; the table below lists them all`} />
      <details onToggle={(event) => open(event.currentTarget.open)}>
        <summary>
          As a table<span class="hidden">: {name}</span>
        </summary>
        {isOpen ? (
          <Table
            name={`${name}, as a table`}
            rows={[...points].reverse()}
            keyOf={({ at }) => at}
            columns={[
              {
                head: over === 'time' ? 'Time' : 'Height',
                cell: ({ at }) => (over === 'time' ? timeText(at, Date.now()) : grouped(at)),
              },
              { head: name, right: true, cell: ({ value }) => write(value) },
            ]}
          />
        ) : null}
      </details>
    </figure>
  )
}
