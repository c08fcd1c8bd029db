import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import classes from './section-nav.module.css'

export interface SectionEntry {
  label: string
  to: NonNullable<LinkProps['to']>
}

export interface SectionGroup {
  label: string
  entries: readonly SectionEntry[]
}

export interface SectionNavProps {
  /** Names the navigation to a reader of the screen. */
  label: string
  groups: readonly SectionGroup[]
  /** Path of the page that is open: its entry is brought into view. */
  path: string
}

/** The pages of one area: a column of links beside them, on a narrow screen a row above. A single page needs none. */
export function SectionNav({ label, groups, path }: SectionNavProps) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [path])
  const entries = groups.flatMap((group) => group.entries)
  if (entries.length < 2) return null
  return (
    <nav className={classes.nav} aria-label={label} ref={nav}>
      {groups.map((group) => (
        <SectionList key={group.label} group={group} all={entries} />
      ))}
    </nav>
  )
}

function SectionList({ group, all }: { group: SectionGroup; all: readonly SectionEntry[] }) {
  const id = useId()
  // A page below an entry belongs to it, unless a longer entry names it.
  const hasSubpages = (to: string) => all.some((other) => other.to !== to && other.to.startsWith(`${to}/`))
  if (group.entries.length === 0) return null
  return (
    <div className={classes.group}>
      <div id={id} className={`label ${classes.groupLabel}`}>
        {group.label}
      </div>
      <ul className={classes.list} aria-labelledby={id}>
        {group.entries.map(({ label, to }) => (
          <li key={to}>
            <Link to={to} className={classes.link} activeOptions={{ exact: hasSubpages(to), includeSearch: false }}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
