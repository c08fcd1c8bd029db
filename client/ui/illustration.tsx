import type { ReactNode } from 'react'

export type IllustrationName = 'sources' | 'insights' | 'people' | 'search' | 'lost' | 'locked' | 'trouble'

const LINE = 'var(--line-strong)'
const SOFT = 'var(--accent-soft)'
const ACCENT = 'var(--accent)'
const SHEET = (
  <rect x="24" y="18" width="112" height="76" rx="8" fill="var(--surface)" stroke={LINE} strokeWidth="1.5" />
)

const ILLUSTRATIONS: Record<IllustrationName, ReactNode> = {
  sources: (
    <>
      {SHEET}
      <path d="M24 38h112M60 38v56M98 38v56M24 57h112M24 76h112" stroke={LINE} strokeWidth="1.5" />
      <rect x="24.75" y="18.75" width="110.5" height="19" rx="7" fill={SOFT} />
      <circle cx="130" cy="90" r="17" fill={ACCENT} />
      <path d="M130 98V83m-6.5 6 6.5-6.5 6.5 6.5" stroke="var(--surface)" strokeWidth="2.4" fill="none" />
    </>
  ),
  insights: (
    <>
      {SHEET}
      <path d="M38 80h84" stroke={LINE} strokeWidth="1.5" />
      <path d="M44 80V62h10v18M64 80V54h10v26M84 80V59h10v21" fill={SOFT} />
      <path d="M104 80V38h10v42" fill={ACCENT} />
      <path d="m46 50 22-8 20 5 22-17" stroke={ACCENT} strokeWidth="2.4" fill="none" strokeLinecap="round" />
    </>
  ),
  people: (
    <>
      {SHEET}
      <circle cx="56" cy="48" r="9" fill={SOFT} />
      <path d="M40 78a16 16 0 0 1 32 0" fill={SOFT} />
      <circle cx="88" cy="44" r="11" fill={ACCENT} />
      <path d="M68 80a20 20 0 0 1 40 0" fill={ACCENT} />
      <path d="M122 34v16m-8-8h16" stroke={ACCENT} strokeWidth="2.4" strokeLinecap="round" />
    </>
  ),
  search: (
    <>
      {SHEET}
      <path d="M40 40h44M40 56h60M40 72h32" stroke={LINE} strokeWidth="5" strokeLinecap="round" />
      <circle cx="112" cy="70" r="17" fill={SOFT} stroke={ACCENT} strokeWidth="2.4" />
      <path d="m125 83 12 12" stroke={ACCENT} strokeWidth="3.4" strokeLinecap="round" />
    </>
  ),
  lost: (
    <>
      {SHEET}
      <path d="M24 38h112" stroke={LINE} strokeWidth="1.5" />
      <circle cx="36" cy="28" r="2.6" fill={LINE} />
      <circle cx="45" cy="28" r="2.6" fill={LINE} />
      <path d="M44 80 66 58l14 12 16-20" stroke={ACCENT} strokeWidth="2.4" fill="none" strokeDasharray="5 5" />
      <circle cx="108" cy="66" r="9" fill={SOFT} stroke={ACCENT} strokeWidth="2" />
    </>
  ),
  locked: (
    <>
      {SHEET}
      <path d="M44 80V60h10v20M64 80V50h10v30" fill={SOFT} />
      <rect x="88" y="60" width="36" height="28" rx="6" fill={ACCENT} />
      <path d="M96 60v-7a10 10 0 0 1 20 0v7" stroke={ACCENT} strokeWidth="3" fill="none" />
    </>
  ),
  trouble: (
    <>
      {SHEET}
      <path d="M38 74h30l8-14 10 22 8-14h28" stroke={ACCENT} strokeWidth="2.4" fill="none" strokeLinejoin="round" />
      <path d="M80 28v18" stroke={LINE} strokeWidth="4" strokeLinecap="round" />
    </>
  ),
}

/** A small drawing in the theme's own colours; says nothing to a screen reader. */
export function Illustration({ name }: { name: IllustrationName }) {
  return (
    <svg width="160" height="112" viewBox="0 0 160 112" fill="none" aria-hidden="true" focusable="false">
      {ILLUSTRATIONS[name]}
    </svg>
  )
}
