import { MutedText } from '../muted-text'
import { SearchField } from './search-field'
import { Checkbox, Text } from '@mantine/core'
import { useId, useState } from 'react'
import classes from './retained-items-picker.module.css'

export interface RetainedItem {
  id: string
  name: string
  /** Beside the name: since when it is there. */
  note: string
  /** Stays whatever is chosen. */
  fixed?: boolean
}
export interface RetainedItemsPickerProps {
  /** What is chosen from: "Data sources". */
  title: string
  /** What happens to those that are not chosen. */
  sentence: string
  /** How many stay. */
  max: number
  /** Oldest first. */
  items: readonly RetainedItem[]
  /** Ids of those that are chosen. */
  value: readonly string[]
  onChange: (ids: string[]) => void
  disabled?: boolean
}

/** From this many on, names are searched for. */
const SEARCH_FROM = 9

/** "2 of 3 selected", and what becomes of places that are left. */
export function describeSelection(chosen: number, max: number): string {
  const left = max - chosen
  const count = `${chosen} of ${max} selected.`
  if (left <= 0) return count
  return `${count} ${left === 1 ? 'The oldest other item also stays' : `The ${left} oldest other items also stay`}.`
}

/** Chooses what stays when there is room for some only. */
export function RetainedItemsPicker({
  title,
  sentence,
  max,
  items,
  value,
  onChange,
  disabled = false,
}: RetainedItemsPickerProps) {
  const [query, setQuery] = useState('')
  const id = useId()
  const isChosen = ({ id: key, fixed }: RetainedItem): boolean => fixed === true || value.includes(key)
  const chosen = items.filter(isChosen).length
  const typed = query.trim().toLocaleLowerCase()
  const shown = items.filter(({ name }) => name.toLocaleLowerCase().includes(typed))
  const toggle = (key: string, stays: boolean) =>
    onChange(stays ? [...value, key] : value.filter((other) => other !== key))
  return (
    <fieldset className={classes.set} disabled={disabled} aria-describedby={`${id}-about ${id}-count`}>
      <legend className={classes.legend}>{title}</legend>
      <Text size="sm" c="dimmed" id={`${id}-about`}>
        {sentence}
      </Text>
      {items.length >= SEARCH_FROM && (
        <SearchField
          label={`Search ${title.toLowerCase()}`}
          placeholder="Search"
          mt={8}
          value={query}
          onChange={setQuery}
        />
      )}
      <ul className={classes.list}>
        {shown.map((item) => {
          const stays = isChosen(item)
          return (
            <li key={item.id} className={classes.item}>
              <Checkbox
                label={item.name}
                checked={stays}
                // Full: first one of the chosen goes.
                disabled={item.fixed === true || (!stays && chosen >= max)}
                onChange={(event) => toggle(item.id, event.currentTarget.checked)}
                classNames={{ root: classes.box ?? '' }}
              />
              <Text size="xs" c="dimmed" className={classes.note}>
                {item.note}
              </Text>
            </li>
          )
        })}
        {shown.length === 0 && (
          <li className={classes.item}>
            <MutedText>No items match “{query.trim()}”</MutedText>
          </li>
        )}
      </ul>
      <Text size="xs" fw={550} id={`${id}-count`} role="status">
        {describeSelection(chosen, max)}
        {chosen >= max &&
          items.some((item) => value.includes(item.id) && !item.fixed) &&
          ' Deselect one to choose another.'}
      </Text>
    </fieldset>
  )
}
