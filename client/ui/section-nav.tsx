import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './section-nav.module.css'

export interface SectionEntry {
  label: string
  to: NonNullable<LinkProps['to']>
}

export interface SectionNavProps {
  /** Names the navigation to a reader of the screen. */
  label: string
  entries: readonly SectionEntry[]
  /** Path of the page that is open: its entry is brought into view. */
  path: string
}

/** The pages of one section as a row of links; a single page needs none. */
export function SectionNav({ label, entries, path }: SectionNavProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [path])
  if (entries.length < 2) return null
  // A page below an entry belongs to it, unless a longer entry names it.
  const hasSubpages = (to: string) => entries.some((other) => other.to !== to && other.to.startsWith(`${to}/`))
  return (
    <nav className={classes.nav} aria-label={label}>
      <ul className={classes.list} ref={list}>
        {entries.map(({ label: name, to }) => (
          <li key={to}>
            <Link to={to} className={classes.link} activeOptions={{ exact: hasSubpages(to), includeSearch: false }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
