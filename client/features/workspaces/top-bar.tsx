import { ActionIcon, Burger, Kbd, Text, UnstyledButton } from '@mantine/core'
import { spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import classes from './app-layout.module.css'
import searchClasses from './top-bar.module.css'
import { DataFreshness } from './data-freshness'
import { PersonMenu } from './person-menu'
import { WorkspaceSwitcher } from './workspace-switcher'

/** The search shortcut as this person's keyboard names it. */
const shortcutLabel = (userAgent: string): string => (/Mac|iPhone|iPad/.test(userAgent) ? '⌘ K' : 'Ctrl K')

export function TopBar({ onMenu }: { onMenu: () => void }) {
  return (
    <header className={classes.bar}>
      <Burger className={classes.narrowOnly} size="sm" onClick={onMenu} aria-label="Open menu" />
      <WorkspaceSwitcher />
      <div className={classes.barEnd}>
        <div className={classes.wideOnly}>
          <DataFreshness />
        </div>
        <UnstyledButton className={`${classes.search} ${searchClasses.search}`} onClick={spotlight.open}>
          <IconSearch size={15} aria-hidden />
          <Text size="sm" span flex={1}>
            Search
          </Text>
          <Kbd size="xs">{shortcutLabel(navigator.userAgent)}</Kbd>
        </UnstyledButton>
        <ActionIcon
          className={classes.searchIcon}
          variant="subtle"
          color="gray"
          size="lg"
          onClick={spotlight.open}
          aria-label="Search"
        >
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
        <PersonMenu />
      </div>
    </header>
  )
}
