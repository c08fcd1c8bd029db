/** The mark and the name. */
export function Logo({ compact = false }: { compact?: boolean }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 9 }}>
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <rect width="24" height="24" rx="6.5" fill="var(--logo-ground, #0b5c75)" />
        <path d="M6.5 17v-4M11 17V9.5M15.5 17v-6" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" opacity=".6" />
        <circle cx="17.4" cy="6.7" r="2.2" fill="#fff" />
      </svg>
      <span
        className={compact ? 'only-reader' : undefined}
        style={{ fontSize: 16, fontWeight: 640, letterSpacing: '-0.02em' }}
      >
        Insikt
      </span>
    </span>
  )
}
