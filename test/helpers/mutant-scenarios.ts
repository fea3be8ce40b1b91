const HEAD = `
operator: { profile: multi-nic, controller: reference }
settle: 3s
seed: 2
`;
const SAMPLE = `
networks:
  - { name: sample, subnet: 192.168.0.0/16, hostBlock: 8, interfaceBlock: 2 }
`;

/** Small versions of shipped scenarios, by their names. Goals are missed on purpose: the run must go on to show more. */
export const MUTANT_SCENARIOS: Readonly<Record<string, string>> = {
  'step-scale': `
name: step-scale
${HEAD}
networks:
  - name: sample
    subnet: 192.168.0.0/16
    hostBlock: 8
    interfaceBlock: 2
    excludeCIDRs: [192.168.0.0/26]
steps:
  - scale: { to: 3, within: 12s, onMiss: continue }
  - scale: { to: 6, within: 12s, onMiss: continue }
  - scale: { name: shrink, to: 3, within: 32s, onMiss: continue }
expect:
  - regressions(processed) == 0
`,
  exhaustion: `
name: exhaustion
${HEAD}
networks:
  - { name: sample, subnet: 192.168.0.0/16, hostBlock: 2, interfaceBlock: 2 }
overflow: expected
steps:
  - scale: { to: 6, within: 12s, onMiss: continue }
  - scale: { to: 2, within: 12s, onMiss: continue }
  - scale: { to: 4, within: 12s, onMiss: continue }
`,
  resilience: `
name: resilience
${HEAD}${SAMPLE}
steps:
  - scale: { to: 5, within: 12s, onMiss: continue }
  - restart: { what: controller, probe: false, within: 12s, onMiss: continue }
`,
  'rolling-daemons': `
name: rolling-daemons
${HEAD}${SAMPLE}
steps:
  - scale: { to: 4, within: 12s, onMiss: continue }
  - restart: { what: daemons, atATime: 2, pause: 1s, probe: false, within: 12s, onMiss: continue }
`,
  taint: `
name: taint
${HEAD}${SAMPLE}
steps:
  - scale: { to: 4, within: 12s, onMiss: continue }
  - taint: { nodes: 4, within: 12s, onMiss: continue }
  - untaint: { nodes: 4, within: 12s, onMiss: continue }
`,
  'daemon-faults': `
name: daemon-faults
${HEAD}${SAMPLE}
steps:
  - scale: { to: 4, within: 12s, onMiss: continue }
  - fault: { nodes: 4, what: error }
  - scale: { to: 5, within: 12s, onMiss: continue } # so that its daemon is called
  - heal: { within: 12s, onMiss: continue }
`,
  'late-nic': `
name: late-nic
operator: { profile: multi-nic, controller: reference }
settle: 3s
seed: 2
${SAMPLE}
steps:
  - fault: { nodes: 1-3, what: missing-nic, interface: eth2 }
  - scale: { to: 3, within: 12s, onMiss: continue }
  - heal: { within: 40s, onMiss: continue } # known daemons are asked again every 30 s
`,
  allocate: `
name: allocate
${HEAD}
networks:
  - name: sample
    subnet: 192.168.0.0/16
    hostBlock: 8
    interfaceBlock: 2
    # In the blocks of all four nodes, smaller than a block.
    excludeCIDRs: [192.168.0.8/29, 192.168.0.72/29, 192.168.0.136/29, 192.168.0.200/29]
steps:
  - scale: { to: 4, within: 12s }
  - allocate: { podsPerNode: 3, within: 12s, onMiss: continue }
  - deallocate: { podsPerNode: 1, within: 12s, onMiss: continue }
`,
};
