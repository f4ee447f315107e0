import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Recent } from '../src/recent.ts'

test('what is used again stays, what is not makes room, and no more is held than the bound', () => {
  const recent = new Recent<number, string>(100, 64, 16)
  recent.keep(0, 'used', 10)
  for (let key = 1; key < 50; key++) {
    recent.keep(key, 'not used', 10)
    assert.equal(recent.get(0), 'used')
    assert.ok(recent.weight <= 100, String(recent.weight))
  }
  assert.equal(recent.get(1), undefined)
  assert.equal(recent.get(49), 'not used')
  recent.clear()
  assert.equal(recent.get(0), undefined)
  assert.equal(recent.weight, 0)
})

test('what would crowd out everything else is not kept', () => {
  const recent = new Recent<string, string>(100, 64, 16)
  recent.keep('small', 'a', 10)
  recent.keep('big', 'b', 26)
  assert.equal(recent.get('big'), undefined)
  assert.equal(recent.get('small'), 'a')
})

test('what is offered stays from the second time on', () => {
  const recent = new Recent<string, string>(100, 64, 16)
  recent.offer('once', 'a', 10)
  assert.equal(recent.get('once'), undefined)
  recent.offer('once', 'a', 10)
  assert.equal(recent.get('once'), 'a')
})

test('a key is never taken for another, however many share its place', () => {
  const recent = new Recent<number, number>(1_000_000, 16, 16)
  for (let key = 0; key < 1000; key++) recent.keep(key, key, 1)
  let found = 0
  for (let key = 0; key < 1000; key++) {
    const value = recent.get(key)
    if (value === undefined) continue
    assert.equal(value, key)
    found++
  }
  assert.ok(found > 0 && found <= 16, String(found))
  assert.ok(recent.weight <= 16, String(recent.weight))
})

test('what is asked for again and again stays, whatever came before it and however light it is', () => {
  const recent = new Recent<string, number>(1_000_000, 1024, 16)
  for (let key = 0; key < 10_000; key++) recent.keep(`gone by ${key}`, key, 1)
  let missed = 0
  for (let round = 0; round < 10; round++) {
    for (let key = 0; key < 200; key++) {
      if (recent.get(`hot ${key}`) === key) continue
      recent.keep(`hot ${key}`, key, 1)
      if (round > 0) missed++
    }
  }
  assert.ok(missed < 20, `${missed} of 1800 were not found again`)
})
