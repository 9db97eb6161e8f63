import { describe, expect, it } from 'vitest'
import { BoundedMap, BoundedSet } from '../../../src/base/bounded.js'

describe('a bounded map', () => {
  it('evicts the oldest entry beyond its bound', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1).set('b', 2).set('c', 3)
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 3],
    ])
  })

  it('keeps the position of a key that is set again', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
    expect([...map.keys()]).toEqual(['b', 'c'])
  })

  it('makes a renewed entry the newest without evicting another', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1).set('b', 2)
    map.renew('a', 3)
    expect([...map]).toEqual([
      ['b', 2],
      ['a', 3],
    ])
    map.renew('c', 4)
    expect([...map.keys()]).toEqual(['a', 'c'])
  })

  it('has room again after an entry is deleted', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1).set('b', 2)
    map.delete('a')
    map.set('c', 3)
    expect([...map.keys()]).toEqual(['b', 'c'])
  })

  it('drops an entry whose key is undefined', () => {
    const map = new BoundedMap<undefined | string, number>(1)
    map.set(undefined, 1).set('a', 2)
    expect([...map.keys()]).toEqual(['a'])
  })
})

describe('a bounded set', () => {
  it('evicts the oldest value beyond its bound', () => {
    expect([...new BoundedSet<number>(2).add(1).add(2).add(3)]).toEqual([2, 3])
  })

  it('keeps the position of a value that is added again', () => {
    expect([...new BoundedSet<number>(2).add(1).add(2).add(1).add(3)]).toEqual([2, 3])
  })
})
